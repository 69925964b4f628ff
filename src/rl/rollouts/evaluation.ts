/**
 * Validation: greedy or sampled episodes on a fixed list of held-out tasks, the same for every seed, so that runs can
 * be compared; and scripted policies on the same tasks.
 */
import type { AgentEnvLoop } from '../../agent/env-loop';
import type { Split } from '../../agent/environment-client';
import type { Policy, Task, Trajectory } from '../../agent/types';
import { scriptedTrajectories } from './scripted';
import { loopOptions, type RunSetup } from './setup';

/** Validation tasks do not depend on a run's seed. */
export const validationSeed = 0;

/** How each task is tried. */
export interface Attempts {
  readonly samples: number;
  /** 0 is greedy; else tokens are sampled as those of rollouts are. */
  readonly temperature: number;
}

export class Evaluation {
  private readonly drawn = new Map<Split, Task[]>();
  private readonly loop: AgentEnvLoop;

  /** @param count of the tasks; the first of the list */
  constructor(
    private readonly setup: RunSetup,
    private readonly count = setup.config.evaluation.tasks,
  ) {
    this.loop = setup.loop();
  }

  /**
   * Trajectories on each task of the split, one after another; those on one task share their group.
   * @param hooks.beforeSubmit awaited between two pieces of work: pause by waiting, abort by throwing
   * @param hooks.onEnded called when episodes have ended: how many so far, and of how many
   */
  async run(
    policy: Policy,
    hooks: { readonly beforeSubmit: () => Promise<void>; readonly onEnded?: (ended: number, total: number) => void },
    split: Split = 'validation',
    { samples, temperature }: Attempts = { samples: 1, temperature: 0 },
  ): Promise<Trajectory[]> {
    const { config } = this.setup;
    const tasks = await this.tasks(split, hooks.beforeSubmit);
    const { topK, topP } = config.rollout;
    const attempts = tasks.flatMap((task, group) => Array.from({ length: samples }, () => ({ task, group })));
    const sampling = { seed: validationSeed, ...(temperature > 0 && { temperature, topK, topP }) };
    return this.loop.run(attempts, policy, {
      ...loopOptions(this.setup, sampling),
      beforeSubmit: hooks.beforeSubmit,
      onEnded: (ended) => hooks.onEnded?.(ended, attempts.length),
    });
  }

  /** The same tasks as one of the environment's scripted policies plays them. */
  async runScript(policy: string, split: Split = 'validation'): Promise<Trajectory[]> {
    return scriptedTrajectories(this.setup, await this.tasks(split), policy);
  }

  private async tasks(split: Split, beforeSubmit?: () => Promise<void>): Promise<Task[]> {
    const { config, client } = this.setup;
    const tasks =
      this.drawn.get(split) ??
      (await client.tasks(split, validationSeed, 0, this.count, config.environment.options, beforeSubmit));
    this.drawn.set(split, tasks);
    return tasks;
  }
}

/** How many were solved with 0, 1, 2 … tool calls that did not fail. */
export function solvedByCalls(trajectories: readonly Trajectory[]): number[] {
  const solved: number[] = [];
  for (const { steps } of trajectories.filter(({ success }) => success)) {
    const calls = steps.flatMap(({ toolCalls }) => toolCalls).filter(({ error }) => error === undefined).length;
    while (solved.length <= calls) solved.push(0);
    solved[calls]++;
  }
  return solved;
}

export function successRate(trajectories: readonly Trajectory[]): number {
  return trajectories.filter((trajectory) => trajectory.success).length / trajectories.length;
}

/** Share of the tasks that were solved in at least one attempt: pass@k for k attempts each. */
export function solvedOnceRate(trajectories: readonly Trajectory[]): number {
  const all = new Set(trajectories.map(({ group }) => group));
  const solved = new Set(trajectories.filter(({ success }) => success).map(({ group }) => group));
  return solved.size / all.size;
}
