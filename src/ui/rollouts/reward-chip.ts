/** What the chip of a reward term says: the term as the environment gave it, and whether it helped or hurt. Pure. */
import { signed } from './numbers';
import { text } from './text';

/** Weight of each reward term in the run. */
export type RewardWeights = Readonly<Record<string, number>>;

export interface RewardChip {
  readonly text: string;
  readonly kind: 'plus' | 'minus' | 'neutral';
}

/** @param weights null where they are not known; then a term counts as it is */
export function rewardChip(name: string, value: number, weights: RewardWeights | null): RewardChip {
  const weight = weights?.[name] ?? 1;
  const counted = value * weight;
  return {
    text: `${name} ${signed(value)}${weight === 0 ? text.conversation.notCounted : ''}`,
    kind: counted > 0 ? 'plus' : counted < 0 ? 'minus' : 'neutral',
  };
}
