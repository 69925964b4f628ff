/** One message to the agent as it is now, answered greedily with live tool calls. Learns nothing and scores nothing. */
import type { LiveStep } from '../../agent/flow';
import type { ToolCall } from '../../agent/types';
import type { Sampler } from '../../model/sampler';
import { stopTokens } from '../../text/chat-template';
import { rewardWeights, type RunSetup } from './setup';

export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly call: ToolCall }
  | { readonly type: 'done'; readonly answer: string | null };

export type ChatListener = (event: ChatEvent) => void;

/** @param sampler one of the chat's own: caches of rollouts are never touched */
export async function chatWith(
  setup: RunSetup,
  sampler: Sampler,
  message: string,
  listener: ChatListener,
): Promise<void> {
  const { maxTurns, maxTokens } = setup.config.rollout;
  sampler.clearCache();
  const [trajectory] = await setup
    .loop()
    .run([{ task: { id: 'chat', prompt: message, data: null }, group: 0 }], sampler, {
      sampling: { temperature: 0, topK: 0, topP: 1, maxTokens, stopTokens, seed: 0, iteration: 0 },
      maxTurns,
      rewardWeights: rewardWeights(setup),
      onTurn: (steps) => steps.forEach((step) => tell(step, listener)),
    });
  listener({ type: 'done', answer: trajectory.answer ?? null });
}

function tell({ step }: LiveStep, listener: ChatListener): void {
  listener({ type: 'text', text: step.action.text });
  for (const call of step.toolCalls) listener({ type: 'tool', call });
}
