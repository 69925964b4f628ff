/** A trajectory as the page and the log show it: the tokens, masks and advantages that were trained on. */
import type { Message, Step, ToolCall, Trajectory } from '../../agent/types';
import type { Credit } from '../algorithms/credit';
import { newPromptStart } from '../episodes/prefix';

/** A rollout as the page and the log show it: columns of equal length, one entry a token, prompt of step 1 first. */
export interface RolloutView extends Pick<Trajectory, 'group' | 'reward' | 'success' | 'answer'> {
  readonly iteration: number;
  readonly index: number;
  readonly taskId: string;
  readonly prompt: string;
  readonly advantage: number;
  readonly end: string;
  readonly steps: readonly StepView[];
}

export interface StepView extends Pick<Step, 'rewards' | 'killed' | 'problem'> {
  /** Prompt tokens that are new in this step (the whole prompt in step 1 or when the context was rewritten). */
  readonly promptTokens: readonly number[];
  /** True if the prompt extends the step before token for token. */
  readonly continues: boolean;
  readonly tokens: readonly number[];
  readonly logProbs: readonly number[];
  readonly entropies: readonly number[];
  /** Advantage of each action token as the trainer used it. */
  readonly advantages: readonly number[];
  /** 1 where the token is in the loss, for promptTokens then tokens. */
  readonly lossMask: readonly number[];
  readonly text: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly toolCalls: readonly (Omit<ToolCall, 'arguments' | 'error'> & {
    readonly arguments: unknown;
    readonly error?: string;
  })[];
  readonly error?: string;
}

/** @param index of the rollout in its iteration @param lossMask the switch the rollout was trained with */
export function rolloutView(
  { task, steps, group, reward, success, end, answer }: Trajectory,
  { iteration, index }: Pick<RolloutView, 'iteration' | 'index'>,
  credit: Credit,
  lossMask: boolean,
): RolloutView {
  return {
    iteration,
    index,
    group,
    taskId: task.id,
    prompt: task.prompt,
    reward,
    advantage: credit.advantage,
    success,
    end,
    ...(answer !== undefined && { answer }),
    steps: steps.map((_, k) => stepView(steps, k, credit, lossMask)),
  };
}

function stepView(steps: readonly Step[], k: number, credit: Credit, lossMask: boolean): StepView {
  const { prompt, observation, action, toolCalls, rewards, error, killed, problem } = steps[k];
  const start = newPromptStart(steps, k);
  const promptTokens = prompt.slice(start);
  const promptInLoss = start > 0 && !lossMask ? 1 : 0;
  const messages =
    start > 0 ? newMessages(steps[k - 1].observation.messages, observation.messages) : observation.messages;
  return {
    promptTokens,
    continues: start > 0,
    tokens: action.tokens,
    logProbs: action.logProbs,
    entropies: action.entropies,
    advantages: Array.from(credit.actions[k]),
    lossMask: [...promptTokens.map(() => promptInLoss), ...action.tokens.map(() => 1)],
    text: action.text,
    messages: messages.map(({ role, content }) => ({ role, content })),
    toolCalls: toolCalls.map((call) => ({ ...call })),
    rewards,
    ...(error !== undefined && { error }),
    ...(killed !== undefined && { killed }),
    ...(problem !== undefined && { problem }),
  };
}

/** The environment's messages since the step before; the agent's own is that step's action. */
function newMessages(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  const added = now.slice(before.length);
  return added[0]?.role === 'assistant' ? added.slice(1) : added;
}
