/**
 * Which matmul variant an adapter is faster with, found by measuring once. The choice never changes a bit of any result, so it
 * may differ between visits. It is not a benchmark: tests/bench/matmul.ts is.
 */
import { Commands, readTensor, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { Tape } from '../gpu/tape';
import { writeTensor } from '../gpu/tensor';
import { defaultChoice, dispatchProduct, setMatmulChoice, type MatmulChoice, type MatmulVariant } from './matmul-product';

type Shape = readonly [number, number, number];

const variants: readonly MatmulVariant[] = ['register', 'shared'];
const measured = new WeakMap<Device, Promise<MatmulChoice>>();

/**
 * Sets the variants that `matmul` uses on this device from now on and returns them, to be remembered by whoever can: with a
 * remembered choice nothing is measured. Else it measures once per device. Throws if no variant computes right.
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
  // A CPU adapter is slow, and needs no batch to be measured.
  const { software } = device.adapter;
  const size = software ? 192 : 512;
  const large = await fastest(device, 'large', [size, size, size], software ? 1 : 8);
  const small = await fastest(device, 'small', [32, 128, 128], software ? 4 : 32);
  return { large, small };
}

/** The variant that takes the least time for `replays` products; the device's default if they disagree on a bit. */
async function fastest(device: Device, use: keyof MatmulChoice, shape: Shape, replays: number): Promise<MatmulVariant> {
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
    dispatchProduct(
      tape,
      { name: 'matmul choice', a, transposeA: false, b, transposeB: true, c, shape },
      { large: variant, small: variant },
    );
    return c;
  });
  const plan = await tape.seal();
  try {
    new Commands(device).run(plan.forward).submit();
    const numbers = await Promise.all(results.map((c) => readTensor(device, c)));
    const right = variants.filter((_, i) => isProduct(numbers[i], numbersA, numbersB, shape));
    if (right.length === 0)
      throw new Error(
        `This graphics adapter (${device.adapter.name}) multiplies matrices wrongly, so nothing can be trained on it. Update its driver or try another browser.`,
      );
    if (right.length === 1) return right[0];
    if (numbers[0].some((value, i) => value !== numbers[1][i])) return defaultChoice(device)[use];
    const times = [Infinity, Infinity];
    for (let round = 0; round < 3; round++) {
      for (const i of [0, 1]) times[i] = Math.min(times[i], await timeMs(device, plan.forward[i], replays));
    }
    return variants[times[0] <= times[1] ? 0 : 1];
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

/** Whether entries all over c [M, N] are a [M, K] · bᵀ, b [N, K], as far as float32 goes. */
function isProduct(c: Float32Array, a: Float32Array, b: Float32Array, [M, N, K]: Shape): boolean {
  for (let i = 0; i < M * N; i += 997) {
    const m = Math.floor(i / N);
    let sum = 0;
    for (let k = 0; k < K; k++) sum += a[m * K + k] * b[(i % N) * K + k];
    if (!(Math.abs(c[i] - sum) <= 1e-4 * K)) return false;
  }
  return true;
}
