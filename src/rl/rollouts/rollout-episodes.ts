/**
 * Trajectories, and logged rollouts, as episodes: where rewards stand, which tokens are the environment's, and which
 * state a step started from. A step is its action's tokens, then the environment's answer.
 */
import type { Trajectory } from '../../agent/types';
import type { RolloutView, StepView } from './view';
import { newPromptStart } from '../episodes/prefix';
import type { Episode } from '../episodes/episode';
import type { Mistakes } from '../config/algorithm-schema';

export interface RolloutEpisodes {
  readonly episodes: readonly Episode[];
  /** What the environment showed before each step, as GiGPO's key of a state. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
}

export interface Reading {
  /** Of reward terms. Terms without a weight count at the end, so that rewards add up to the trajectory's. */
  readonly weights: Readonly<Record<string, number>>;
  /** On: credit goes to agent tokens only. Off: the environment's tokens act as actions. */
  readonly advantageMask: boolean;
  readonly mistakes: Mistakes;
}

interface Source {
  readonly group: unknown;
  readonly reward: number;
  readonly steps: readonly {
    /** Tokens the agent wrote, at least one. */
    readonly action: number;
    /** Tokens of the environment's answer. A rewritten context, or a result that no prompt shows, counts as one. */
    readonly answer: number;
    readonly rewards: Readonly<Record<string, number>>;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  }[];
}

export function trajectoryEpisodes(trajectories: readonly Trajectory[], reading: Reading): RolloutEpisodes {
  const sources = trajectories.map(({ group, reward, steps }): Source => {
    const answer = (k: number): number => {
      if (k + 1 === steps.length) return steps[k].toolCalls.length > 0 ? 1 : 0;
      const start = newPromptStart(steps, k + 1);
      return start === 0 ? 1 : Math.max(1, steps[k + 1].prompt.length - start);
    };
    return {
      group,
      reward,
      steps: steps.map(({ action, rewards, observation }, k) => ({
        action: action.tokens.length,
        answer: answer(k),
        rewards,
        messages: observation.messages,
      })),
    };
  });
  return readEpisodes(sources, reading);
}

export function rolloutEpisodes(rollouts: readonly RolloutView[], reading: Reading): RolloutEpisodes {
  const answer = (step: StepView, next: StepView | undefined): number => {
    if (next === undefined) return step.toolCalls.length > 0 ? 1 : 0;
    return next.continues ? Math.max(1, next.promptTokens.length) : 1;
  };
  const sources = rollouts.map(({ group, reward, steps }): Source => ({
    group,
    reward,
    steps: steps.map((step, k) => ({
      action: step.tokens.length,
      answer: answer(step, steps[k + 1]),
      rewards: step.rewards,
      messages: step.messages,
    })),
  }));
  return readEpisodes(sources, reading);
}

function readEpisodes(sources: readonly Source[], { weights, advantageMask, mistakes }: Reading): RolloutEpisodes {
  const episodes = sources.map((source, i): Episode => {
    const rewards = stepRewards(source, weights);
    return {
      group: mistakes.wrongGroups ? `rollout ${i}` : source.group,
      steps: source.steps.map(({ action, answer }, k) => {
        const n = action + answer;
        const column = new Float64Array(n);
        column[(mistakes.rewardOnToolToken ? n : action) - 1] = rewards[k];
        return { mask: new Uint8Array(n).fill(1, 0, advantageMask ? action : n), rewards: column };
      }),
    };
  });
  return { episodes, anchors: sources.map(({ steps }) => steps.map(({ messages }) => anchor(messages))) };
}

function stepRewards({ steps, reward }: Source, weights: Reading['weights']): number[] {
  let left = reward;
  return steps.map((step, k) => {
    if (k === steps.length - 1) return left;
    const own = Object.entries(step.rewards).reduce((sum, [term, value]) => sum + (weights[term] ?? 0) * value, 0);
    left -= own;
    return own;
  });
}

/** The messages since the agent last spoke: the task at first, later the results of its calls. */
function anchor(messages: Source['steps'][number]['messages']): string {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(messages.slice(spoke + 1).map(({ role, content }) => [role, content]));
}
