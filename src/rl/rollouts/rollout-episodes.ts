/**
 * Trajectories, and logged rollouts, as episodes: where rewards stand, which tokens are the environment's, and which
 * state a step started from. A step is its action's tokens, then the environment's answer.
 */
import type { Trajectory } from '../../agent/types';
import type { Mistakes } from '../../config/algorithm-schema';
import type { Episode } from '../../algorithms/episodes/episode';
import { newPromptStart } from '../../algorithms/episodes/prefix';
import { messageViews, type RolloutView, type StepView } from './view';

export interface Reading {
  /** Of reward terms. Terms without a weight count at the end, so that rewards add up to the trajectory's. */
  readonly weights: Readonly<Record<string, number>>;
  /** On: credit goes to agent tokens only. Off: the environment's tokens act as actions. */
  readonly advantageMask: boolean;
  readonly mistakes: Mistakes;
}

/** What is read of a logged rollout. */
type SourceStep = Pick<
  StepView,
  'promptTokens' | 'continues' | 'tokens' | 'toolCalls' | 'rewards' | 'messages' | 'error'
>;
export type RolloutSource = Pick<RolloutView, 'group' | 'reward'> & { readonly steps: readonly SourceStep[] };

/** Trajectories as they are logged. */
export function rolloutSources(trajectories: readonly Trajectory[]): RolloutSource[] {
  return trajectories.map(({ group, reward, steps }) => ({
    group,
    reward,
    steps: steps.map(({ prompt, action, toolCalls, rewards, observation, error }, k) => {
      const start = newPromptStart(steps, k);
      const promptTokens = prompt.slice(start);
      const messages = messageViews(observation.messages);
      return { promptTokens, continues: start > 0, tokens: action.tokens, toolCalls, rewards, messages, error };
    }),
  }));
}

/** Episodes, and what the environment showed before each step: GiGPO's key of a state. [episodes][steps] */
export function rolloutEpisodes(rollouts: readonly RolloutSource[], { weights, advantageMask, mistakes }: Reading) {
  const episodes = rollouts.map((rollout, i): Episode => {
    const rewards = stepRewards(rollout, weights);
    return {
      group: mistakes.wrongGroups ? `rollout ${i}` : rollout.group,
      steps: rollout.steps.map((step, k) => {
        const written = step.tokens.length;
        const n = written + answerTokens(step, rollout.steps[k + 1]);
        const column = new Float64Array(n);
        column[(mistakes.rewardOnToolToken ? n : written) - 1] = rewards[k];
        return { mask: new Uint8Array(n).fill(1, 0, advantageMask ? written : n), rewards: column };
      }),
    };
  });
  return { episodes, anchors: rollouts.map(({ steps }) => steps.map(({ messages }) => anchor(messages))) };
}

/** Tokens of the environment's answer. A rewritten context, or a result that no prompt shows, counts as one. */
function answerTokens(step: SourceStep, next: SourceStep | undefined): number {
  if (!next) return step.toolCalls.length > 0 ? 1 : 0;
  return next.continues ? Math.max(1, next.promptTokens.length) : 1;
}

function stepRewards({ steps, reward }: RolloutSource, weights: Reading['weights']): number[] {
  let left = reward;
  return steps.map((step, k) => {
    if (k === steps.length - 1) return left;
    const own = Object.entries(step.rewards).reduce((sum, [term, value]) => sum + (weights[term] ?? 0) * value, 0);
    left -= own;
    return own;
  });
}

/** The messages since the agent last spoke: the task at first, later the results of its calls. */
function anchor(messages: StepView['messages']): string {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(messages.slice(spoke + 1).map(({ role, content, images = [] }) => [role, content, ...images]));
}
