/** Rules for a run that continues from another run's checkpoint: in which settings it may differ. */
import { algorithms } from '../algorithms/table';
import type { RunConfig } from './config';

/** @throws a sentence if the config cannot go on from a checkpoint that another config made */
export function requireBranch(from: RunConfig, to: RunConfig, iteration: number): void {
  const differs = (part: keyof RunConfig) => JSON.stringify(from[part]) !== JSON.stringify(to[part]);
  const fixed = (Object.keys(reasons) as (keyof typeof reasons)[]).find(differs);
  if (fixed !== undefined) throw new Error(reasons[fixed]);
  const [held, needed] = [criticOf(from), criticOf(to)];
  if (held !== needed)
    throw new Error(
      `A branch cannot change from ${from.algorithm.name} to ${to.algorithm.name} here, because its checkpoint holds ` +
        `${criticWords[held]} and the new setup needs ${criticWords[needed]}.`,
    );
  if (to.iterations <= iteration)
    throw new Error(
      `A branch from iteration ${iteration} needs more than ${iteration} iterations, and its setup has ` +
        `${to.iterations}.`,
    );
}

const reasons = {
  environment: 'A branch cannot change the environment, because the text of its checkpoint is that environment’s.',
  model: 'A branch cannot change the model, because the weights of its checkpoint have that model’s shape.',
  text: 'A branch cannot change tokenizer or tool-call format: the tokens of its checkpoint would mean something else.',
  warmStart: 'A branch cannot change the warm start, because its checkpoint was taken after it.',
} as const;

const criticWords = { none: 'no critic', shared: 'a shared critic', separate: 'a separate critic' } as const;

/** The critic that a checkpoint of this config holds. */
function criticOf({ algorithm, critic }: RunConfig): keyof typeof criticWords {
  return algorithms[algorithm.name].critic === undefined ? 'none' : critic.network;
}
