/** Measures once which matmul variant is fastest on an adapter. The choice never changes a bit of any result. */
import { Commands, readTensors } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import { Tape } from '../device/tape';
import { writeTensor } from '../device/tensor';
import {
  dispatchProduct,
  matmulChoices,
  type LargeVariant,
  type MatmulChoice,
  type SmallVariant,
} from './matmul-product';

/**
 * Sets and returns the variants that `matmul` uses on this device. Measures once per device, unless given a choice
 * remembered from an earlier visit. Throws a sentence if no variant computes correctly.
 * @param remembered of any shape: it was stored; what this device cannot run is not used
 */
export async function chooseMatmul(device: Device, remembered?: unknown): Promise<MatmulChoice> {
  const choice = choiceIn(device, remembered) ?? matmulChoices.get(device) ?? (await measureChoice(device));
  matmulChoices.set(device, choice);
  return choice;
}

function choiceIn({ adapter }: Device, remembered: unknown): MatmulChoice | null {
  const { large, small } = (remembered ?? {}) as Partial<Record<keyof MatmulChoice, unknown>>;
  const runnable: unknown[] = ['lanes', 'shared', 'blocks', ...(adapter.subgroupSize ? ['subgroups'] : [])];
  const isChoice = runnable.includes(large) && runnable.includes(small) && small !== 'blocks';
  return isChoice ? ({ large, small } as MatmulChoice) : null;
}

async function measureChoice(device: Device): Promise<MatmulChoice> {
  // A CPU adapter runs a barrier as a switch of coroutines: `shared` takes seconds to compile and was 2 to 7 times
  // slower wherever it was measured.
  if (device.adapter.software) {
    const subgroups = device.adapter.subgroupSize ? (['subgroups'] as const) : [];
    const large = await fastest(device, ['lanes', 'blocks', ...subgroups], 'lanes', [192, 192, 192], 1);
    const small = await fastest<SmallVariant>(device, ['lanes', ...subgroups], 'lanes', [16, 128, 128], 8);
    return { large, small };
  }
  const large = await fastest(device, ['lanes', 'blocks', 'shared'], 'shared', [512, 512, 512], 8);
  const small = await fastest<SmallVariant>(device, ['lanes', 'shared'], 'shared', [32, 128, 128], 32);
  return { large, small };
}

/** The variant with the least time for `replays` products; `fallback` if the correct ones differ in a bit. */
async function fastest<Variant extends LargeVariant>(
  device: Device,
  variants: readonly Variant[],
  fallback: Variant,
  [M, N, K]: readonly [number, number, number],
  replays: number,
): Promise<Variant> {
  const tape = new Tape(device, false);
  const a = tape.constant('matmul choice a', [M, K]);
  const b = tape.constant('matmul choice b', [N, K]);
  // No number of these reaches a run.
  /* eslint-disable no-restricted-syntax */
  const numbersA = Float32Array.from({ length: M * K }, (_, i) => Math.sin(i));
  const numbersB = Float32Array.from({ length: N * K }, (_, i) => Math.cos(i));
  /* eslint-enable no-restricted-syntax */
  writeTensor(device, a, numbersA);
  writeTensor(device, b, numbersB);
  const results = variants.map((variant) => {
    const c = tape.constant(`matmul choice ${variant}`, [M, N]);
    const product = { a: { tensor: a, transposed: false }, b: { tensor: b, transposed: true }, c };
    const small: SmallVariant = variant === 'blocks' ? 'lanes' : variant;
    dispatchProduct(tape, { name: 'matmul choice', ...product }, { large: variant, small });
    return c;
  });
  const plan = tape.seal();
  await device.compiled();
  try {
    new Commands(device).run(plan.forward).submit();
    const numbers = await readTensors(device, results);
    const correct = variants
      .map((variant, i) => ({ variant, numbers: numbers[i], dispatch: plan.forward[i], ms: Infinity }))
      .filter((each) => isProduct(each.numbers, numbersA, numbersB, N, K));
    if (correct.length === 0)
      throw new Error(
        `This graphics adapter (${device.adapter.name}) multiplies matrices wrongly, so nothing can be trained ` +
          'on it. Update its driver, or choose the CPU.',
      );
    const [first] = correct;
    if (correct.some((each) => each.numbers.some((value, i) => value !== first.numbers[i])))
      return (correct.find(({ variant }) => variant === fallback) ?? first).variant;
    for (let round = 0; round < 3; round++) {
      for (const each of correct) each.ms = Math.min(each.ms, await timeMs(device, each.dispatch, replays));
    }
    return correct.reduce((best, each) => (each.ms < best.ms ? each : best)).variant;
  } finally {
    plan.destroy();
  }
}

async function timeMs(device: Device, dispatch: Dispatch, replays: number): Promise<number> {
  const start = performance.now();
  new Commands(device).run(Array.from({ length: replays }, () => dispatch)).submit();
  await device.idle();
  return performance.now() - start;
}

/** Checks a sample of c [M, N] = a [M, K] · bᵀ, b [N, K], within float32 error. */
function isProduct(c: Float32Array, a: Float32Array, b: Float32Array, N: number, K: number): boolean {
  for (let i = 0; i < c.length; i += 997) {
    const m = Math.floor(i / N);
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a[m * K + k] * b[(i % N) * K + k];
    if (!(Math.abs(c[i] - sum) <= 1e-4 * K)) return false;
  }
  return true;
}
