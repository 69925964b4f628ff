/**
 * Rewards as the config shapes them, before any estimator reads them: process rewards brought to scale, penalties, clipping, in this order.
 * A penalty lands on the last token of an action. Not here: weights of reward terms, which make a trajectory's reward, and KL (kl-penalty.ts).
 */
import type { Step, Trajectory } from '../../agent/types';
import { overlongPenalty } from '../advantages/dapo';
import { tokenColumns, type Episode } from '../advantages/episode';
import type { RunConfig } from '../config';
import { clipRewards } from './clip';
import { scaleProcessRewards } from './process-reward';

type Shaping = RunConfig['shaping'];

/** Whether the config leaves rewards as the environment gave them. */
export function leavesRewards({ process, clip, invalidCall, overlong }: Shaping): boolean {
  return process !== 'scaled' && clip === 0 && invalidCall === 0 && overlong === 0;
}

/** @param episodes of the trajectories, in their order */
export function shapeRewards(trajectories: readonly Trajectory[], episodes: readonly Episode[], shaping: Shaping): Episode[] {
  let shaped = shaping.process === 'scaled' ? scaleProcess(episodes) : [...episodes];
  if (shaping.invalidCall > 0 || shaping.overlong > 0) shaped = shaped.map((episode, i) => penalise(episode, trajectories[i], shaping));
  return shaping.clip > 0 ? clipRewards(shaped, { low: -shaping.clip, high: shaping.clip }) : shaped;
}

/** What steps before the last earn is scaled; what the last one earns is the outcome and stays. */
function scaleProcess(episodes: readonly Episode[]): Episode[] {
  const part = (last: boolean): Episode[] =>
    episodes.map(({ group, steps }) => ({
      group,
      steps: steps.map(({ mask, rewards }, k) => ({
        mask,
        rewards: (k === steps.length - 1) === last ? rewards : new Float64Array(mask.length),
      })),
    }));
  const process = scaleProcessRewards(part(false));
  const outcome = part(true);
  const sums = tokenColumns(episodes, (i, k, t) => process[i].steps[k].rewards[t] + outcome[i].steps[k].rewards[t]);
  return episodes.map(({ group, steps }, i) => ({ group, steps: steps.map(({ mask }, k) => ({ mask, rewards: sums[i][k] })) }));
}

function penalise({ group, steps }: Episode, trajectory: Trajectory, shaping: Shaping): Episode {
  const tokens = trajectory.steps.reduce((sum, { action }) => sum + action.tokens.length, 0);
  const { overlong: factor, overlongFrom, overlongBuffer: buffer } = shaping;
  const tooLong = factor > 0 ? overlongPenalty(tokens, { longest: overlongFrom + buffer, buffer, factor }) : 0;
  return {
    group,
    steps: steps.map(({ mask, rewards }, k) => {
      const step = trajectory.steps[k];
      const penalty = (k === steps.length - 1 ? tooLong : 0) - (isInvalid(step) ? shaping.invalidCall : 0);
      if (penalty === 0) return { mask, rewards };
      const penalised = Float64Array.from(rewards);
      penalised[step.action.tokens.length - 1] += penalty;
      return { mask, rewards: penalised };
    }),
  };
}

/** Whether the agent wrote something that is no call of a tool there is. */
function isInvalid({ error, toolCalls }: Step): boolean {
  const invalid = (kind: string | undefined) => kind === 'malformed' || kind === 'unknown-tool' || kind === 'invalid-arguments';
  return invalid(error) || toolCalls.some((call) => invalid(call.error));
}
