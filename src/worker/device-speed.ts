/** How fast a device multiplies matrices, measured in a moment, for people to read. */
import { Commands } from '../device/commands';
import type { Device } from '../device/device';
import { Tape } from '../device/tape';
import { matmul } from '../ops/matmul';

/** [N, K] · [K, F]: a layer of a small model over a micro-batch. */
const [N, K, F] = [512, 128, 512];
/** An engine compiles the kernels as well as it can only when they have run for a while. */
const [measuredMs, minRounds] = [80, 8];
/** A shorter round tells more of the wait for its end than of the work. */
const minRoundMs = 4;

/** Billions of additions and multiplications a second: the fastest of some rounds, since only the first are slow. */
export async function measureGflops(device: Device): Promise<number> {
  const tape = new Tape(device, false);
  matmul(tape, tape.constant('speed a', [N, K]), tape.constant('speed b', [K, F]), { name: 'speed' });
  const plan = tape.seal();
  try {
    await device.compiled();
    let best = 0;
    const startMs = performance.now();
    for (let round = 0, products = 1; round < minRounds || performance.now() - startMs < measuredMs; round++) {
      const dispatches = Array.from({ length: products }, () => plan.forward).flat();
      const beganMs = performance.now();
      new Commands(device).run(dispatches).submit();
      await device.idle();
      const ms = performance.now() - beganMs;
      best = Math.max(best, (products * 2 * N * K * F) / ms / 1e6);
      if (ms < minRoundMs) products *= 2;
    }
    return best;
  } finally {
    plan.destroy();
  }
}
