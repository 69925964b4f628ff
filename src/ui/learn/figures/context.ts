/** What an attempt reads before each turn. Pure. */
import type { RolloutView } from '../../../rl/rollouts/view';

export function longestAttempt(rollouts: readonly RolloutView[]): RolloutView {
  return rollouts.reduce((best, each) => (each.steps.length > best.steps.length ? each : best));
}

/** Tokens of the prompt of each turn, and of what the agent wrote behind it. */
export function readAtTurns({ steps }: RolloutView): { readonly read: number; readonly wrote: number }[] {
  let before = 0;
  return steps.map(({ promptTokens, tokens, continues }) => {
    const read = (continues ? before : 0) + promptTokens.length;
    before = read + tokens.length;
    return { read, wrote: tokens.length };
  });
}
