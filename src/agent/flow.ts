/**
 * Turns tasks into trajectories. `AgentEnvLoop` drives any `AgentEnv`; implement `AgentFlow` for full control of
 * prompts, sampling and steps.
 */
import { assert } from '../lib/assert';
import type { Content, Policy, Sampling, Step, Task, Trajectory } from './types';

/** A task to attempt. Attempts at one task share a group. */
export interface Attempt {
  readonly task: Task;
  readonly group: number;
}

/** The newest step of an episode, for live views. `attempt` is its index in the run. */
export interface LiveStep {
  readonly attempt: number;
  readonly task: Task;
  readonly step: Step;
}

export interface FlowOptions {
  readonly sampling: Sampling;
  readonly maxTurns: number;
  /** Weight of every reward term that the environment can give. */
  readonly rewardWeights: Readonly<Record<string, number>>;
  /** Awaited before each sampling and each sandbox batch: wait here to pause, throw to abort. */
  readonly beforeSubmit?: () => Promise<void>;
  /** Called once an episode's world has begun. @param seen what its environment shows behind the prompt */
  readonly onBegin?: (seen: readonly Content[]) => void;
  /** Called when episodes have ended. @param ended how many so far */
  readonly onEnded?: (ended: number) => void;
  /** Called after each turn with the step of every live episode. */
  readonly onTurn?: (steps: readonly LiveStep[]) => void;
  /** Called once, when the run is done. */
  readonly onTime?: (time: { readonly policyMs: number; readonly environmentMs: number }) => void;
}

export interface AgentFlow {
  /** Trajectories in the order of the attempts. */
  run(attempts: readonly Attempt[], policy: Policy, options: FlowOptions): Promise<Trajectory[]>;
}

/** Σ over steps and terms of weight · term. */
export function weightedReward(
  steps: readonly Pick<Step, 'rewards'>[],
  weights: Readonly<Record<string, number>>,
): number {
  let sum = 0;
  for (const { rewards } of steps) {
    for (const [term, value] of Object.entries(rewards)) {
      assert(
        Object.hasOwn(weights, term),
        () => `reward term "${term}" has no weight; weights are given for ${Object.keys(weights).join(', ') || 'none'}`,
      );
      sum += weights[term] * value;
    }
  }
  return sum;
}

/** Sums of two sets of reward terms. */
export function addTerms(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Record<string, number> {
  const sum: Record<string, number> = { ...a };
  for (const [term, value] of Object.entries(b)) sum[term] = (Object.hasOwn(sum, term) ? sum[term] : 0) + value;
  return sum;
}
