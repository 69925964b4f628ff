/** Compares the rewards that trainers read and logged with those that the server gave. */
import { ServedEpisode } from '../../../src/cli/serve/episode';

/** Numbers that were compared, and where they differ. */
export interface Compared {
  readonly compared: number;
  readonly differences: readonly string[];
}

/** Notes the rewards that served episodes give while something runs, in the order of their calls. */
export async function notingRewards<T>(
  use: () => Promise<T>,
): Promise<{ readonly result: T; readonly given: number[] }> {
  const given: number[] = [];
  const { prototype } = ServedEpisode;
  const call = Object.getOwnPropertyDescriptor(prototype, 'call')!.value as ServedEpisode['call'];
  prototype.call = async function (this: ServedEpisode, ...words) {
    const reply = await call.apply(this, words);
    if (reply.kind === 'result' && reply.reward !== null) given.push(reply.reward);
    return reply;
  };
  try {
    return { result: await use(), given };
  } finally {
    prototype.call = call;
  }
}

/**
 * @param given by the server, step after step
 * @param rewards of each rollout of each step; null where the trainer read none
 * @param logged the mean of each step
 */
export function compareRewards(
  given: readonly number[],
  rewards: readonly (readonly (number | null)[])[],
  logged: readonly number[],
): Compared {
  const left = [...given];
  const differences: string[] = [];
  const read = rewards.map((step) => step.filter((reward) => reward !== null));
  for (const [step, values] of read.entries()) {
    const [ofServer, ofTrainer] = [left.splice(0, values.length), [...values]].map((each) => each.sort().join(' '));
    if (ofServer !== ofTrainer) differences.push(`step ${step + 1}: ${ofTrainer} instead of ${ofServer}`);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    if (!(Math.abs(mean - logged[step]) <= 1e-6))
      differences.push(`step ${step + 1} logs ${logged[step]}, not ${mean}`);
  }
  if (left.length > 0) differences.push(`${left.length} rewards that the trainer did not read`);
  return { compared: read.flat().length, differences };
}
