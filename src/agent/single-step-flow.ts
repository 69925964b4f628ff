/**
 * One action per task and no second turn: the sanity check of a policy, a template or a reward. A tool call counts as
 * no answer.
 */
import type { AgentFlow, Attempt, FlowOptions } from './flow';
import type { Policy, Trajectory } from './types';

export class SingleStepFlow implements AgentFlow {
  /** `flow` is any flow that obeys `maxTurns`. */
  constructor(private readonly flow: AgentFlow) {}

  run(attempts: readonly Attempt[], policy: Policy, options: FlowOptions): Promise<Trajectory[]> {
    return this.flow.run(attempts, policy, { ...options, maxTurns: 1 });
  }
}
