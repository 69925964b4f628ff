/** A trajectory as the page and the log show it: the tokens, masks and advantages that were trained on. */
import type { Message, Step, Trajectory } from '../../agent/types';
import { imagesIn, textOf, type Image } from '../../text/image';
import type { Credit } from '../../algorithms/credit';
import { newPromptStart } from '../../algorithms/episodes/prefix';

export type RolloutView = Readonly<ReturnType<typeof rolloutView>>;
export type StepView = Readonly<ReturnType<typeof stepView>>;

/**
 * Columns of equal length, one entry a token, the prompt of step 1 first.
 * @param index of the rollout in its iteration @param lossMask the switch the rollout was trained with
 * @param references log-probability of each agent token under the reference, where it was compared [steps][tokens]
 */
export function rolloutView(
  { task, steps, group, reward, success, end, answer }: Trajectory,
  { iteration, index }: { readonly iteration: number; readonly index: number },
  credit: Credit,
  lossMask: boolean,
  references?: readonly Float64Array[],
) {
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
    steps: steps.map((_, k) => stepView(steps, k, credit, lossMask, references)),
  };
}

function stepView(
  steps: readonly Step[],
  k: number,
  credit: Credit,
  lossMask: boolean,
  references: readonly Float64Array[] | undefined,
) {
  const { prompt, observation, action, toolCalls, rewards, error, killed, problem } = steps[k];
  const start = newPromptStart(steps, k);
  const promptTokens = prompt.slice(start);
  const promptInLoss = start > 0 && !lossMask ? 1 : 0;
  const messages =
    start > 0 ? newMessages(steps[k - 1].observation.messages, observation.messages) : observation.messages;
  const own = (column: Float64Array) => Array.from(column.subarray(0, action.tokens.length));
  return {
    /** Prompt tokens that are new in this step: the whole prompt in step 1 or when the context was rewritten. */
    promptTokens,
    /** Whether the prompt extends the step before token for token. */
    continues: start > 0,
    tokens: action.tokens,
    logProbs: action.logProbs,
    entropies: action.entropies,
    /** Advantage of each action token as the trainer used it. */
    advantages: Array.from(credit.actions[k]),
    /** Log-probability of each action token under the reference. Absent where it was not compared. */
    ...(references && { references: own(references[k]) }),
    /** The critic's estimate before each action token. Absent without a critic. */
    ...(credit.critic && { values: own(credit.critic.values[k]) }),
    /** 1 where the token is in the loss, for promptTokens then tokens. */
    lossMask: [...promptTokens.map(() => promptInLoss), ...action.tokens.map(() => 1)],
    text: action.text,
    messages: messageViews(messages),
    toolCalls,
    rewards,
    ...(error !== undefined && { error }),
    ...(killed !== undefined && { killed }),
    ...(problem !== undefined && { problem }),
  };
}

/** Messages without the tokens of the agent's. */
export interface MessageView extends Pick<Message, 'role'> {
  readonly content: string;
  readonly images?: readonly Image[];
}

export function messageViews(messages: readonly Message[]): readonly MessageView[] {
  return messages.map(({ role, content }) => {
    const images = imagesIn(content);
    return { role, content: textOf(content), ...(images.length > 0 && { images }) };
  });
}

/** The environment's messages since the step before; the agent's own is that step's action. */
function newMessages(before: readonly Message[], now: readonly Message[]): readonly Message[] {
  const added = now.slice(before.length);
  return added[0]?.role === 'assistant' ? added.slice(1) : added;
}
