/** What an algorithm compares a reward with, said beside the attempts at one task. */
import { text } from './text';

const { baseline } = text;

const sentences: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['grpo', 'dr-grpo', 'gspo', 'cispo', 'sapo', 'gmpo', 'rloo', 'gpg'].map((name) => [name, baseline.group]),
  ),
  dapo: baseline.lengthPenalty,
  gigpo: baseline.sameState,
  opo: baseline.lengthWeighted,
  remax: baseline.greedy,
  reinforce: baseline.allTurns,
  'reinforce-pp': baseline.batch,
  'reinforce-pp-baseline': baseline.groupThenBatch,
  ...Object.fromEntries(['ppo', 'step-ppo', 'bi-level-gae'].map((name) => [name, baseline.critic])),
};

/** Algorithms that learn from differences inside a group only. */
const groupOnly = new Set(['grpo', 'dr-grpo', 'dapo', 'gspo', 'cispo', 'sapo', 'gmpo', 'rloo', 'opo', 'gpg']);

/** @param equal all rewards of the group are the same */
export function baselineWords(algorithm: string | undefined, equal: boolean): string {
  if (equal) return algorithm !== undefined && groupOnly.has(algorithm) ? baseline.nothingToLearn : baseline.equal;
  return (algorithm === undefined ? undefined : sentences[algorithm]) ?? baseline.average;
}
