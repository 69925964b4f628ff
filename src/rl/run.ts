/** The loop of a run, for the page and the terminal alike: warm start, then iterations, each checked on its device. */
import type { Device } from '../device/device';
import type { IterationResult, Trainer } from './trainer';

/** The GPU reported a validation or memory error: later commands do nothing, so no later number can be trusted. */
export class DeviceUnsound extends Error {}

/** @throws DeviceUnsound */
export function requireHealthyDevice({ uncapturedError }: Device): void {
  if (uncapturedError === null) return;
  throw new DeviceUnsound(`The GPU reported an error, so the numbers after it cannot be trusted: ${uncapturedError}`);
}

/** Does the warm start, or what is left of it. */
export async function warmUp(trainer: Trainer): Promise<void> {
  await trainer.warmStart();
  requireHealthyDevice(trainer.device);
}

/** Warms up, then yields every iteration that is left; whoever stops reading stops the run between two of them. */
export async function* iterations(trainer: Trainer): AsyncGenerator<IterationResult, void, undefined> {
  await warmUp(trainer);
  while (trainer.progress.iteration < trainer.setup.config.iterations) {
    const result = await trainer.iterate();
    requireHealthyDevice(trainer.device);
    yield result;
  }
}
