/** The sentence beside the attempts at one task. */
import type { RolloutView } from '../../rl/rollouts/view';
import { text } from './text';

/** @param baseline what the run's algorithm compares a reward with, in a sentence */
export function groupWords(group: readonly Pick<RolloutView, 'reward' | 'advantage'>[], baseline?: string): string {
  const { average, equal, nothingToLearn } = text.group;
  if (group.some(({ reward }) => reward !== group[0].reward)) return baseline ? `${average} ${baseline}` : average;
  return group.every(({ advantage }) => advantage === 0) ? nothingToLearn : equal;
}
