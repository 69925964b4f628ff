/** Which steps continue the one before: their prompt begins with its prompt and its action, token for token. */
import type { Step } from '../../agent/types';

/** Whether a step's prompt starts with all of the step before: its prompt, then its action. */
export function continues(previous: Step, next: Step): boolean {
  const before = previous.prompt.length;
  const written = previous.action.tokens;
  if (next.prompt.length < before + written.length) return false;
  return (
    previous.prompt.every((token, i) => token === next.prompt[i]) &&
    written.every((token, i) => token === next.prompt[before + i])
  );
}

/** Where a step's new prompt tokens begin: 0 if it does not continue the step before. */
export function newPromptStart(steps: readonly Step[], k: number): number {
  return k > 0 && continues(steps[k - 1], steps[k])
    ? steps[k - 1].prompt.length + steps[k - 1].action.tokens.length
    : 0;
}
