/**
 * Rollouts as chats with tools, one JSON object each, as trainers of large models read them: `messages` and `tools` of
 * the chat templates of Hugging Face, `prompt` and `completion` of TRL's conversational datasets.
 */
import type { RolloutView } from './view';
import type { Json } from '../../lib/json';
import type { ToolSignature } from '../../text/tool-formats/tool-format';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: Json };
  }[];
  /** Of the tool that answered. */
  readonly name?: string;
}

/** The fields that a chat is made from. */
type Rollout = Pick<RolloutView, 'taskId' | 'iteration' | 'group' | 'reward' | 'success' | 'end' | 'answer' | 'steps'>;

export const toolRecords = (tools: readonly ToolSignature[]): readonly object[] =>
  tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));

/** A line to imitate; null if the rollout did not solve its task, or holds a call or a turn that failed. */
export function demonstrationRecord(rollout: Rollout, system: string | null, tools: readonly object[]): object | null {
  const failed = rollout.steps.some(({ error, toolCalls }) => error ?? toolCalls.some((call) => call.error));
  if (!rollout.success || failed) return null;
  const { prompt, completion } = chatOf(rollout, system);
  return { messages: [...prompt, ...completion], tools };
}

/** A line for each rollout, with what it earned. */
export function rolloutRecord(rollout: Rollout, system: string | null, tools: readonly object[]): object {
  const { taskId, iteration, group, reward, success, end } = rollout;
  return { ...chatOf(rollout, system), tools, reward, success, end, task: taskId, iteration, group };
}

/**
 * What was said, in order. The tool format's own description of the tools is left out: a chat template writes it.
 * @param system what the environment itself tells the agent first
 */
function chatOf(
  { steps, answer }: Rollout,
  system: string | null,
): { prompt: ChatMessage[]; completion: ChatMessage[] } {
  const opening = steps[0].messages.filter(({ role }) => role !== 'system');
  const prompt: ChatMessage[] = [
    ...(system === null ? [] : [{ role: 'system' as const, content: system }]),
    ...opening.map(({ role, content }) => ({ role, content })),
  ];
  const completion = steps.flatMap((step, k): ChatMessage[] => {
    if (step.toolCalls.length === 0) {
      const isLast = k === steps.length - 1;
      return [{ role: 'assistant', content: isLast && answer !== undefined ? answer : step.text }];
    }
    const calls = step.toolCalls.map(({ name, arguments: given }) => ({
      type: 'function' as const,
      function: { name, arguments: given },
    }));
    const results = step.toolCalls.map(({ name, result }) => ({ role: 'tool' as const, content: result, name }));
    return [{ role: 'assistant', content: '', tool_calls: calls }, ...results];
  });
  return { prompt, completion };
}
