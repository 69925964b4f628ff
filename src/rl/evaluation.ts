/** Validation: greedy episodes on a fixed list of held-out tasks, the same for every seed, so that runs can be compared. */
import type { AgentEnvLoop } from '../agent/env-loop';
import type { Policy, Task, Trajectory } from '../agent/types';
import { stopTokens } from '../text/chat-template';
import { rewardWeights, type Stage } from './stage';

/** Validation tasks do not depend on a run's seed. */
const validationSeed = 0;

export class Evaluation {
  private tasks: Task[] | null = null;
  private readonly loop: AgentEnvLoop;

  constructor(private readonly stage: Stage) {
    this.loop = stage.loop();
  }

  /** Greedy trajectories, one a validation task. */
  async run(policy: Policy, between: () => Promise<void>): Promise<Trajectory[]> {
    const { config, client } = this.stage;
    this.tasks ??= await client.tasks('validation', validationSeed, 0, config.evaluation.tasks, config.environment.options);
    const { maxTurns, maxTokens } = config.rollout;
    const attempts = this.tasks.map((task, group) => ({ task, group }));
    const sampling = { temperature: 0, topK: 0, topP: 1, maxTokens, stopTokens, seed: validationSeed, iteration: 0 };
    return this.loop.run(attempts, policy, { sampling, maxTurns, rewardWeights: rewardWeights(this.stage), between });
  }
}

export function successRate(trajectories: readonly Trajectory[]): number {
  return trajectories.filter((trajectory) => trajectory.success).length / trajectories.length;
}
