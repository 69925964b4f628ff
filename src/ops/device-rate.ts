/** How fast a device multiplies matrices of a model's size; a measurement, so no number of a run depends on it. */
import { Commands } from '../device/commands';
import type { Device } from '../device/device';
import { Tape } from '../device/tape';
import { matmul } from './matmul';

const [M, N, K] = [256, 768, 576];
/** Of one measurement. */
const minMs = 40;
const rounds = 3;

/** FLOP/s of products of activations with half-precision weights, the best of a few rounds. */
export async function deviceRate(device: Device): Promise<number> {
  const tape = new Tape(device, false);
  const a = tape.constant('rate a', [M, K]);
  const b = tape.constant('rate b', [N, K], 'f16');
  matmul(tape, a, b, { name: 'rate c', transposeB: true });
  const plan = tape.seal();
  await device.compiled();
  const timeMs = async (replays: number) => {
    const start = performance.now();
    new Commands(device).run(Array.from({ length: replays }, () => plan.forward).flat()).submit();
    await device.idle();
    return performance.now() - start;
  };
  try {
    let replays = 1;
    await timeMs(replays);
    while ((await timeMs(replays)) < minMs) replays *= 2;
    let best = Infinity;
    for (let round = 0; round < rounds; round++) best = Math.min(best, await timeMs(replays));
    return (2 * M * N * K * replays * 1000) / best;
  } finally {
    plan.destroy();
  }
}
