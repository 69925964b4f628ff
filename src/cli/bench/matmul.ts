/**
 * GFLOP/s of `matmul` on a device, with the variants chosen for it: the mean of NN, NT and TN, as training uses them. A
 * wrong result throws before anything is timed.
 */
import { Commands, readTensor } from '../../device/commands';
import type { Device } from '../../device/device';
import { Tape } from '../../device/tape';
import { createTensor, writeTensor } from '../../device/tensor';
import { matmul } from '../../ops/matmul';

/** GFLOP/s by M x N x K; a single number is all three. */
export type MatmulTimes = Record<'256' | '512' | '1024x128x512', number>;

export type Layout = 'NN' | 'NT' | 'TN';

const repeats = 5;
/** A timed submit does about this much work, so that the fence at its end weighs little. */
const submitFlop = { software: 1e9, gpu: 5e10 };

export async function benchMatmul(device: Device): Promise<MatmulTimes> {
  const mean = async (M: number, N: number, K: number) => {
    let secondsPerFlop = 0;
    for (const layout of ['NN', 'NT', 'TN'] as const)
      secondsPerFlop += 1 / (await benchProduct(device, M, N, K, layout)) / 3;
    return 1 / secondsPerFlop;
  };
  return {
    '256': await mean(256, 256, 256),
    '512': await mean(512, 512, 512),
    '1024x128x512': await mean(1024, 128, 512),
  };
}

/** GFLOP/s of one shape and layout: the median of repeats, after a warm-up. */
export async function benchProduct(device: Device, M: number, N: number, K: number, layout: Layout): Promise<number> {
  const [transposeA, transposeB] = [layout === 'TN', layout === 'NT'];
  const a = createTensor(device, 'a', transposeA ? [K, M] : [M, K]);
  const b = createTensor(device, 'b', transposeB ? [N, K] : [K, N]);
  const numbersA = Float32Array.from({ length: M * K }, (_, i) => Math.sin(i * 1.3));
  const numbersB = Float32Array.from({ length: K * N }, (_, i) => Math.cos(i * 0.7));
  writeTensor(device, a, numbersA);
  writeTensor(device, b, numbersB);
  const tape = new Tape(device, false);
  const c = matmul(tape, a, b, { name: 'c', transposeA, transposeB });
  const plan = tape.seal();
  await device.compiled();
  const flop = 2 * M * N * K;
  const replays = Math.max(1, Math.round((device.adapter.software ? submitFlop.software : submitFlop.gpu) / flop));
  const replay = async (count: number) => {
    const start = performance.now();
    new Commands(device).run(Array.from({ length: count }, () => plan.forward).flat()).submit();
    await device.idle();
    return (performance.now() - start) / count;
  };
  await replay(1);
  const result = await readTensor(device, c);
  for (let i = 0; i < M * N; i += 1009) {
    const [m, n] = [Math.floor(i / N), i % N];
    let sum = 0;
    for (let k = 0; k < K; k++)
      sum += numbersA[transposeA ? k * M + m : m * K + k] * numbersB[transposeB ? n * K + k : k * N + n];
    if (!(Math.abs(result[i] - sum) < 1e-3))
      throw new Error(`matmul ${M}x${N}x${K} ${layout}: [${m}, ${n}] is ${result[i]}, expected ${sum}`);
  }
  const timesMs: number[] = [];
  for (let i = 0; i < repeats; i++) timesMs.push(await replay(replays));
  plan.destroy();
  for (const tensor of [a, b]) tensor.buffer.destroy();
  return flop / timesMs.sort((x, y) => x - y)[repeats >> 1] / 1e6;
}
