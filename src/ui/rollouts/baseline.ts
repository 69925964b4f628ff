/**
 * What a reward is compared with, by algorithm, in a sentence beside the attempts at one task. Only what is so of each
 * is said.
 */

const encouraged = 'Attempts above the dashed line (the average) are encouraged, those below discouraged.';
const average = 'The dashed line is the average.';

const sentences: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['grpo', 'dr-grpo', 'gspo', 'cispo', 'sapo', 'gmpo', 'rloo', 'gpg'].map((name) => [name, encouraged]),
  ),
  dapo: `${average} This algorithm compares with it after a penalty for length.`,
  gigpo: `${average} This algorithm also compares steps that began in the same state.`,
  opo: `${average} In this algorithm's own average, longer attempts weigh more.`,
  remax: `${average} This algorithm compares with what the greedy agent earned instead.`,
  reinforce: `${average} This algorithm compares with all steps of the batch instead.`,
  'reinforce-pp': `${average} This algorithm compares with the whole batch instead.`,
  'reinforce-pp-baseline': `${average} This algorithm compares with it first, then with the whole batch.`,
  ...Object.fromEntries(
    ['ppo', 'step-ppo', 'bi-level-gae'].map((name) => [
      name,
      `${average} This algorithm compares with what its critic expected instead.`,
    ]),
  ),
};

/** Algorithms that learn from differences inside a group only. */
const groupOnly = new Set(['grpo', 'dr-grpo', 'dapo', 'gspo', 'cispo', 'sapo', 'gmpo', 'rloo', 'opo', 'gpg']);

/** @param equal all rewards of the group are the same */
export function baselineWords(algorithm: string | undefined, equal: boolean): string {
  if (equal && algorithm !== undefined && groupOnly.has(algorithm))
    return 'All attempts scored the same, so there is nothing to learn from this task.';
  if (equal) return 'All attempts scored the same.';
  return (algorithm === undefined ? undefined : sentences[algorithm]) ?? average;
}
