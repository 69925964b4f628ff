/** The loop of a run, for the page and the terminal alike: warm start, then iterations, each checked on its device. */
import type { Device } from '../gpu/device';
import type { IterationResult, Trainer } from './trainer';

/** @throws a sentence if the GPU has reported an error: later numbers cannot be trusted */
export function demandSoundDevice({ taint }: Device): void {
  if (taint !== null) throw new Error(`The GPU reported an error, so this run's numbers cannot be trusted: ${taint}`);
}

/** Does the warm start, or what is left of it. */
export async function warmUp(trainer: Trainer): Promise<void> {
  await trainer.warmStart();
  demandSoundDevice(trainer.device);
}

/** Warms up, then yields every iteration that is left; whoever stops reading stops the run between two of them. */
export async function* iterations(trainer: Trainer): AsyncGenerator<IterationResult, void, undefined> {
  await warmUp(trainer);
  while (trainer.progress.iteration < trainer.setup.config.iterations) {
    const result = await trainer.iterate();
    demandSoundDevice(trainer.device);
    yield result;
  }
}
