/**
 * Collects one iteration's trajectories: tasks, their groups of rollouts, more tasks in place of groups without signal,
 * a greedy rollout a task if the algorithm needs it, and which rollouts are learned from. A function of seed and
 * iteration.
 */
import type { LiveStep } from '../../agent/flow';
import type { AgentEnvLoop } from '../../agent/env-loop';
import type { Policy, Task, Trajectory } from '../../agent/types';
import { assert } from '../../lib/assert';
import { bits, Purpose } from '../../lib/rng';
import type { RunConfig } from '../../config/config';
import { groupMembers } from '../../algorithms/episodes/groups';
import { firstBatch, refillBatch, type Batch } from './batches';
import { groupsWithSignal, keptGroups } from './filter';
import { loopOptions, type RunSetup } from './setup';

export interface Rollouts {
  readonly trajectories: readonly Trajectory[];
  /** Indices of the trajectories that are learned from. */
  readonly kept: readonly number[];
  /** The greedy rollout of each trajectory's task. [trajectories] */
  readonly greedy?: readonly Trajectory[];
  readonly policyMs: number;
  readonly environmentMs: number;
}

export interface RolloutHooks {
  readonly greedy: boolean;
  readonly onTurn: (steps: readonly LiveStep[]) => void;
  /** Awaited before each turn and each batch of the sandbox. */
  readonly beforeSubmit: () => Promise<void>;
}

/** @param policy its caches must belong to the current weights */
export async function collectRollouts(
  setup: RunSetup,
  loop: AgentEnvLoop,
  policy: Policy,
  iteration: number,
  { greedy, onTurn, beforeSubmit }: RolloutHooks,
): Promise<Rollouts> {
  const { config, client } = setup;
  const { rollout, filter } = config;
  const { temperature, topK, topP } = rollout;
  const times = { policyMs: 0, environmentMs: 0 };
  const attempt = async (
    tasks: readonly Task[],
    firstGroup: number,
    each: number,
    how: { seed: number; temperature: number },
    by = policy,
  ) => {
    const attempts = tasks.flatMap((task, t) => Array.from({ length: each }, () => ({ task, group: firstGroup + t })));
    return loop.run(attempts, by, {
      ...loopOptions(setup, { topK, topP, iteration, ...how }),
      beforeSubmit,
      ...(how.temperature > 0 && { onTurn }),
      onTime: ({ policyMs, environmentMs }) => {
        times.policyMs += policyMs;
        times.environmentMs += environmentMs;
      },
    });
  };
  const makeTasks = ({ taskSeed, start }: Batch, count: number) =>
    client.tasks('train', taskSeed, start, count, config.environment.options, beforeSubmit);

  const first = firstBatch(config, iteration);
  const { seed } = first;
  const tasks = await makeTasks(first, rollout.tasks);
  const by = rollout.flip === iteration ? withOtherAction(policy, config.seed) : policy;
  const trajectories = await attempt(tasks, 0, rollout.group, { seed, temperature }, by);
  for (let round = 0; round < filter.refill; round++) {
    const missing = rollout.tasks - groupsWithSignal(trajectories).length;
    if (missing <= 0) break;
    const refill = refillBatch(config, iteration, round);
    const more = await makeTasks(refill, missing);
    trajectories.push(...(await attempt(more, tasks.length, rollout.group, { seed: refill.seed, temperature })));
    tasks.push(...more);
  }
  for (const { task, reward } of trajectories)
    assert(Number.isFinite(reward), `the reward of task ${task.id} is ${reward}`);
  const best = greedy ? await attempt(tasks, 0, 1, { seed, temperature: 0 }) : null;
  return {
    trajectories,
    kept: keptRollouts(trajectories, filter, rollout.tasks),
    ...(best && { greedy: trajectories.map(({ group }) => best[group]) }),
    ...times,
  };
}

/**
 * The policy, but for one action, of the batch that is sampled first. @param seed picks it and decides it
 */
function withOtherAction(policy: Policy, seed: number): Policy {
  const { contextLength, slots } = policy;
  let isFirst = true;
  return {
    contextLength,
    slots,
    sample: async (prompts, sampling) => {
      if (!isFirst) return policy.sample(prompts, sampling);
      isFirst = false;
      const at = bits(seed, Purpose.sample, sampling.iteration) % prompts.length;
      const [other] = await policy.sample([prompts[at]], { ...sampling, seed });
      const rest = prompts.filter((_, i) => i !== at);
      const actions = rest.length > 0 ? await policy.sample(rest, sampling) : [];
      return [...actions.slice(0, at), other, ...actions.slice(at)];
    },
  };
}

/** Indices of the trajectories whose groups pass the filter, at most `tasks` groups. */
export function keptRollouts(
  trajectories: readonly Pick<Trajectory, 'group' | 'reward'>[],
  filter: RunConfig['filter'],
  tasks: number,
): number[] {
  const members = groupMembers(trajectories.map(({ group }) => group));
  const { strategy, value } = filter;
  let groups = [...members.keys()];
  if (strategy === 'signal') groups = groupsWithSignal(trajectories);
  else if (strategy !== 'none') {
    const rewards = groups.map((group) => members.get(group)!.map((i) => trajectories[i].reward));
    groups = keptGroups(rewards, { strategy, value, includeZero: false }).map((at) => groups[at]);
  }
  return groups
    .slice(0, tasks)
    .flatMap((group) => members.get(group)!)
    .sort((a, b) => a - b);
}
