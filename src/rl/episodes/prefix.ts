/** Which steps continue the one before: their prompt begins with its prompt and its action, token for token. */
import type { Step } from '../../agent/types';
import { sharedTokens } from '../../text/image';

/** Whether a step's prompt starts with all of the step before: its prompt with its images, then its action. */
export function continues(previous: Step, next: Step): boolean {
  const before = { tokens: [...previous.prompt, ...previous.action.tokens], images: previous.images };
  return sharedTokens(before, { tokens: next.prompt, images: next.images }) === before.tokens.length;
}

/** Where a step's new prompt tokens begin: 0 if it does not continue the step before. */
export function newPromptStart(steps: readonly Step[], k: number): number {
  return k > 0 && continues(steps[k - 1], steps[k])
    ? steps[k - 1].prompt.length + steps[k - 1].action.tokens.length
    : 0;
}
