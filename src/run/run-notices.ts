/** Notices about a run that continues and asks nothing of the visitor. */
import { engineVersion } from '../config/run-link';
import type { RunNotice } from './events';

/** @param savedBy the engine of another version that saved the run */
export function engineDiffers(savedBy: string): RunNotice {
  const sentence =
    `This run was saved by engine ${savedBy} and goes on with ${engineVersion}: its next iterations may differ from ` +
    'what they would have been.';
  return { kind: 'engine-differs', sentence, remedy: 'none' };
}

export function updatesSkipped(count: number, where: string): RunNotice {
  const updates = count === 1 ? 'An update was' : `${count} updates were`;
  const sentence = `${updates} skipped at ${where}, because its loss or gradient was not finite. Training goes on.`;
  return { kind: 'update-skipped', sentence, remedy: 'none' };
}
