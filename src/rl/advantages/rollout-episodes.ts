/**
 * Logged rollouts as episodes: where rewards land, which tokens are the environment's, and which state a step started from.
 * A step is its action's tokens, then those that the environment answered with. A reward lands on the step's last action token.
 */
import type { RolloutView, StepView } from '../metrics';
import type { Episode } from './episode';
import type { Mistakes } from './mistakes';

export interface RolloutEpisodes {
  readonly episodes: readonly Episode[];
  /** What the environment showed before each step, as GiGPO's key of a state. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
}

/**
 * @param weights of reward terms; what terms without a weight are worth counts at the end, so that rewards always add up to the rollout's
 */
export function rolloutEpisodes(
  rollouts: readonly RolloutView[],
  weights: Readonly<Record<string, number>>,
  { rewardOnToolToken, wrongGroups }: Mistakes,
): RolloutEpisodes {
  const episodes = rollouts.map(({ steps, group, reward }, i): Episode => {
    const rewards = stepRewards(steps, reward, weights);
    return {
      group: wrongGroups ? `rollout ${i}` : group,
      steps: steps.map((step, k) => {
        const action = step.tokens.length;
        const n = action + environmentTokens(step, steps[k + 1]);
        const column = new Float64Array(n);
        column[(rewardOnToolToken ? n : action) - 1] = rewards[k];
        return { mask: new Uint8Array(n).fill(1, 0, action), rewards: column };
      }),
    };
  });
  return { episodes, anchors: rollouts.map(({ steps }) => steps.map(anchor)) };
}

/** Tokens of the environment's answer. A rewritten context, or a result that no prompt shows, counts as one. */
function environmentTokens(step: StepView, next: StepView | undefined): number {
  if (next) return next.continues ? Math.max(1, next.promptTokens.length) : 1;
  return step.toolCalls.length > 0 ? 1 : 0;
}

function stepRewards(steps: readonly StepView[], reward: number, weights: Readonly<Record<string, number>>): number[] {
  let left = reward;
  return steps.map((step, k) => {
    if (k === steps.length - 1) return left;
    const own = Object.entries(step.rewards).reduce((sum, [term, value]) => sum + (weights[term] ?? 0) * value, 0);
    left -= own;
    return own;
  });
}

/** The messages since the agent last spoke: the task at first, later the results of its calls. */
function anchor({ messages }: StepView): string {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  return JSON.stringify(messages.slice(spoke + 1).map(({ role, content }) => [role, content]));
}
