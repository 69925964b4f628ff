/** Which steps continue the one before: their prompt begins with its prompt and its action, token for token. */
import type { Action, Step } from '../../agent/types';
import { sharedTokens } from '../../text/image';

/** The tokens of a step. */
export interface StepTokens extends Pick<Step, 'prompt' | 'images'> {
  readonly action: Pick<Action, 'tokens'>;
}

/** Whether a step's prompt starts with all of the step before: its prompt with its images, then its action. */
export function continues(previous: StepTokens, next: StepTokens): boolean {
  const before = { tokens: [...previous.prompt, ...previous.action.tokens], images: previous.images };
  return sharedTokens(before, { tokens: next.prompt, images: next.images }) === before.tokens.length;
}

/** Where a step's new prompt tokens begin: 0 if it does not continue the step before. */
export function newPromptStart(steps: readonly StepTokens[], k: number): number {
  return k > 0 && continues(steps[k - 1], steps[k])
    ? steps[k - 1].prompt.length + steps[k - 1].action.tokens.length
    : 0;
}
