/** One message to the current agent, answered greedily with live tool calls. */
import type { LiveStep } from '../../agent/flow';
import type { ToolCall } from '../../agent/types';
import type { Sampler } from '../../model/sampler';
import { loopOptions, type RunSetup } from './setup';

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly call: ToolCall }
  | { readonly type: 'done'; readonly answer: string | null };

export type ChatListener = (event: ChatEvent) => void;

/** @param sampler the chat's own: the caches of rollouts stay as they are */
export async function chatWith(
  setup: RunSetup,
  sampler: Sampler,
  message: string,
  listener: ChatListener,
): Promise<void> {
  sampler.clearCache();
  const attempt = { task: { id: 'chat', prompt: message, data: null }, group: 0 };
  const onTurn = (steps: readonly LiveStep[]) => {
    for (const { step } of steps) {
      listener({ type: 'text', text: step.action.text });
      for (const call of step.toolCalls) listener({ type: 'tool', call });
    }
  };
  const [trajectory] = await setup.loop().run([attempt], sampler, { ...loopOptions(setup), onTurn });
  listener({ type: 'done', answer: trajectory.answer ?? null });
}
