/** Where a model's own chat template would write a logged rollout otherwise than it was seen and sampled. */
import { edits, type Edit } from '../../lib/edits';
import { sentenceOf } from '../../lib/sentences';
import type { ChatFormat, ChatMessage } from '../../text/chat-template';
import type { RolloutView, StepView } from '../rollouts/view';

/** Places among all tokens of a rollout, those of its prompts too. */
export type Rewriting = Edit;

export interface TemplateReading {
  readonly rewritings: readonly Rewriting[];
  /** Why the template does not render the conversation: a sentence. */
  readonly refused?: string;
}

/** Null for a model without a template of its own. */
export function readTemplate({ steps }: RolloutView, { rerender }: ChatFormat): TemplateReading | null {
  if (!rerender) return null;
  const rewritings: Rewriting[] = [];
  const said = new Map<string, readonly number[]>();
  let start = 0;
  try {
    for (const conversation of conversations(steps)) {
      for (const { text, tokens } of conversation) said.set(text, tokens);
      const seen = conversation.flatMap(({ promptTokens, tokens }) => [...promptTokens, ...tokens]);
      const found = edits(seen, rerender(messagesOf(conversation, said)));
      // What a template writes behind the last token is the host's, as the next prompt would have it.
      const within = found.filter(({ at }) => at < seen.length);
      rewritings.push(...within.map(({ at, ...edit }) => ({ at: start + at, ...edit })));
      start += seen.length;
    }
  } catch (error) {
    return { rewritings: [], refused: sentenceOf(error) };
  }
  return { rewritings };
}

/** Steps of which each continues the one before; a rewritten context begins another conversation. */
function conversations(steps: readonly StepView[]): StepView[][] {
  const found: StepView[][] = [];
  for (const step of steps)
    if (step.continues) found.at(-1)!.push(step);
    else found.push([step]);
  return found;
}

/** @param said tokens of the agent's turns, by their text */
function messagesOf(steps: readonly StepView[], said: ReadonlyMap<string, readonly number[]>): ChatMessage[] {
  return steps.flatMap(({ messages, text, tokens }) => [
    ...messages.map(({ role, content }) => ({
      role,
      content,
      ...(role === 'assistant' && { tokens: said.get(content) }),
    })),
    { role: 'assistant' as const, content: text, tokens },
  ]);
}
