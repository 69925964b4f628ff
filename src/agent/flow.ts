/**
 * What turns tasks into trajectories. Implement `AgentFlow` for full control of prompts, sampling and steps;
 * `AgentEnvLoop` drives any `AgentEnv`, `SingleStepFlow` is its one-turn sanity check. Knows nothing of advantages or
 * training.
 */
import { assert } from '../lib/assert';
import type { Policy, Sampling, Step, Task, Trajectory } from './types';

/** A task to attempt. Attempts at one task share a group. */
export interface Attempt {
  readonly task: Task;
  readonly group: number;
}

/** One episode's newest step, for live views. `attempt` is its index in the run. */
export interface LiveStep {
  readonly attempt: number;
  readonly task: Task;
  readonly step: Step;
}

/** Where the time of a run went, in ms. */
export interface FlowTime {
  readonly policyMs: number;
  readonly environmentMs: number;
}

export interface FlowOptions {
  readonly sampling: Sampling;
  readonly maxTurns: number;
  /** Weight of every reward term that the environment can give. */
  readonly rewardWeights: Readonly<Record<string, number>>;
  /** Awaited before each turn and between two batches of the sandbox: pause by waiting here, abort by throwing. */
  readonly beforeSubmit?: () => Promise<void>;
  /** Called when episodes have ended. @param ended how many so far */
  readonly onEnded?: (ended: number) => void;
  /** Called after each turn with the step of every episode that was live in it. */
  readonly onTurn?: (steps: readonly LiveStep[]) => void;
  /** Called once, when the run is done. */
  readonly onTime?: (time: FlowTime) => void;
}

export interface AgentFlow {
  /** Trajectories in the order of the attempts. */
  run(attempts: readonly Attempt[], policy: Policy, options: FlowOptions): Promise<Trajectory[]>;
}

/** Σ over steps and terms of weight · term. */
export function weightedReward(steps: readonly Step[], weights: Readonly<Record<string, number>>): number {
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
