/**
 * Small hand-made trajectories for tests of what happens after rollouts. Tokens are arbitrary numbers; nothing is
 * sampled.
 */
import type { Action, Step, Trajectory } from '../../src/agent/types';
import type { Credit } from '../../src/algorithms/credit';
import { algorithms } from '../../src/algorithms/table';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { estimate } from '../../src/algorithms/algorithm';
import { splitBySteps } from '../../src/algorithms/credit';
import { estimatorInput } from '../../src/rl/rollouts/estimator-input';
import { rolloutSources } from '../../src/rl/rollouts/rollout-episodes';
import { estimatorSettings } from '../../src/config/with-algorithm';
import { trajectorySegments, withCredit, type Segment } from '../../src/rl/learner/segments';

export function action(tokens: readonly number[], logProbs = tokens.map((_, i) => -0.1 * (i + 1))): Action {
  return { tokens, logProbs, entropies: tokens.map(() => 0.5), text: tokens.join(' '), stop: 'stop' };
}

export function step(prompt: readonly number[], tokens: readonly number[], more: Partial<Step> = {}): Step {
  return {
    prompt,
    observation: { messages: [{ role: 'user', content: prompt.join(' ') }] },
    action: action(tokens),
    rewards: {},
    toolCalls: [],
    ...more,
  };
}

export function trajectory(
  group: number,
  reward: number,
  steps: readonly Step[],
  more: Partial<Trajectory> = {},
): Trajectory {
  return {
    task: { id: `task-${group}`, prompt: 'a task', data: null },
    group,
    steps,
    end: 'answer',
    success: reward > 0,
    reward,
    ...more,
  };
}

/** Segments as they are learned from. */
export function creditedSegments(source: Trajectory, index: number, credit: Credit, lossMask: boolean): Segment[] {
  return trajectorySegments(source, index, lossMask).map((segment) => withCredit(segment, credit, lossMask));
}

/** Two turns in which the conversation is appended: prompt 10 11, action 20 21, tool result 30 31 32, action 22. */
export const appended = [step([10, 11], [20, 21]), step([10, 11, 20, 21, 30, 31, 32], [22])];

/** Two turns in which the environment rewrote the context. */
export const rewritten = [step([10, 11], [20, 21]), step([10, 12, 30], [22])];

/** A valid config; not a preset. */
export const config = parseConfig({
  environment: { name: 'calculator', options: { difficulty: 2, mode: 'easy' } },
  seed: 1,
  iterations: 60,
  model: { layers: 2, width: 64, heads: 4, kvHeads: 4, mlp: 'swiglu', mlpWidth: 128, tied: true, context: 128 },
  text: { tokenizer: 'character', vocabulary: 512, toolFormat: 'compact' },
  warmStart: { demonstrations: 256, steps: 100, batch: 32, learningRate: 3e-3 },
  algorithm: {
    name: 'grpo',
    clipLow: 0.2,
    clipHigh: 0.28,
    dualClip: 3,
    normalizeStd: true,
    klCoefficient: 0,
    entropyCoefficient: 0,
    aggregation: 'token-mean',
    epochs: 1,
    miniBatches: 2,
    lossMask: true,
    advantageMask: true,
  },
  rollout: { tasks: 16, group: 8, temperature: 1, topK: 0, topP: 1, maxTurns: 6, maxTokens: 24, callFuel: 2_000_000 },
  optimizer: {
    learningRate: 1e-3,
    schedule: 'constant',
    warmup: 0,
    beta1: 0.9,
    beta2: 0.95,
    weightDecay: 0,
    gradientClip: 1,
  },
  rewards: { correct: 1, format: 0.1 },
  evaluation: { tasks: 256, every: 10 },
});

/** Credit under an algorithm for trajectories as they are: no model scores them, so no KL and no critic. */
export function creditsOf(trajectories: readonly Trajectory[], run: RunConfig = config): Credit[] {
  const algorithm = algorithms[run.algorithm.name];
  const batch = estimatorInput(
    {
      rollouts: rolloutSources(trajectories),
      weights: run.rewards,
      klCoefficient: 0,
      scores: { logProbs: [], referenceLogProbs: [] },
    },
    run,
  );
  return splitBySteps(trajectories, batch, estimate(algorithm, batch, estimatorSettings(run)), algorithm.critic);
}
