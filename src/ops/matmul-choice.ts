/** Measures once which matmul variant is fastest on an adapter. The choice never changes a bit of any result. */
import { Commands, readTensor, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { Tape } from '../gpu/tape';
import { writeTensor } from '../gpu/tensor';
import {
  dispatchProduct,
  setMatmulChoice,
  type LargeVariant,
  type MatmulChoice,
  type SmallVariant,
} from './matmul-product';

type Shape = readonly [number, number, number];

const measured = new WeakMap<Device, Promise<MatmulChoice>>();

/**
 * Sets and returns the variants that `matmul` uses on this device. Measures once per device, unless given a choice
 * remembered from an earlier visit. Throws a sentence if no variant computes correctly.
 */
export function chooseMatmul(device: Device, remembered?: MatmulChoice): Promise<MatmulChoice> {
  const choice = remembered ? Promise.resolve(remembered) : (measured.get(device) ?? measureChoice(device));
  measured.set(device, choice);
  return choice.then((found) => {
    setMatmulChoice(device, found);
    return found;
  });
}

async function measureChoice(device: Device): Promise<MatmulChoice> {
  // A CPU adapter runs a barrier as a switch of coroutines: `shared` takes seconds to compile and was 2 to 7 times
  // slower wherever it was measured.
  if (device.adapter.software)
    return { large: await fastest(device, ['lanes', 'blocks'], 'lanes', [192, 192, 192], 1), small: 'lanes' };
  const large = await fastest(device, ['lanes', 'blocks', 'shared'], 'shared', [512, 512, 512], 8);
  const small = await fastest<SmallVariant>(device, ['lanes', 'shared'], 'shared', [32, 128, 128], 32);
  return { large, small };
}

/** The variant with the least time for `replays` products; `fallback` if the correct ones differ in a bit. */
async function fastest<Variant extends LargeVariant>(
  device: Device,
  variants: readonly Variant[],
  fallback: Variant,
  shape: Shape,
  replays: number,
): Promise<Variant> {
  const [M, N, K] = shape;
  const tape = new Tape(device, false);
  const a = tape.constant('matmul choice a', [M, K]);
  const b = tape.constant('matmul choice b', [N, K]);
  const numbersA = Float32Array.from({ length: M * K }, (_, i) => Math.sin(i));
  const numbersB = Float32Array.from({ length: N * K }, (_, i) => Math.cos(i));
  writeTensor(device, a, numbersA);
  writeTensor(device, b, numbersB);
  const results = variants.map((variant) => {
    const c = tape.constant(`matmul choice ${variant}`, [M, N]);
    const choice: MatmulChoice = { large: variant, small: variant === 'blocks' ? 'lanes' : variant };
    dispatchProduct(tape, { name: 'matmul choice', a, transposeA: false, b, transposeB: true, c, shape }, choice);
    return c;
  });
  const plan = tape.seal();
  await device.compiled();
  try {
    new Commands(device).run(plan.forward).submit();
    const numbers = await Promise.all(results.map((c) => readTensor(device, c)));
    const right = [...variants.keys()].filter((i) => isProduct(numbers[i], numbersA, numbersB, shape));
    if (right.length === 0) throw new Error(wrongProducts(device));
    const first = numbers[right[0]];
    if (right.some((i) => numbers[i].some((value, at) => value !== first[at])))
      return right.map((i) => variants[i]).find((v) => v === fallback) ?? variants[right[0]];
    const times = variants.map(() => Infinity);
    for (let round = 0; round < 3; round++) {
      for (const i of right) times[i] = Math.min(times[i], await timeMs(device, plan.forward[i], replays));
    }
    return variants[times.indexOf(Math.min(...times))];
  } finally {
    plan.destroy();
  }
}

function wrongProducts({ adapter }: Device): string {
  return `This graphics adapter (${adapter.name}) multiplies matrices wrongly, so nothing can be trained on it. Update its driver or try another browser.`;
}

async function timeMs(device: Device, dispatch: Dispatch, replays: number): Promise<number> {
  const start = performance.now();
  new Commands(device).run(Array.from({ length: replays }, () => dispatch)).submit();
  await device.idle();
  return performance.now() - start;
}

/** Checks a sample of c [M, N] = a [M, K] · bᵀ, b [N, K], within float32 error. */
function isProduct(c: Float32Array, a: Float32Array, b: Float32Array, [M, N, K]: Shape): boolean {
  for (let i = 0; i < M * N; i += 997) {
    const m = Math.floor(i / N);
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a[m * K + k] * b[(i % N) * K + k];
    if (!(Math.abs(c[i] - sum) <= 1e-4 * K)) return false;
  }
  return true;
}
