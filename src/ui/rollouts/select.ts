/** Which rollouts the list shows and in which order. Pure. */
import { mean, sum } from '../../lib/mean';
import type { RolloutView } from '../../rl/rollouts/view';

export const filters = ['all', 'solved', 'failed', 'errors'] as const;
export type Filter = (typeof filters)[number];

/** Filter, order and search of the list. */
export interface ListChoice {
  filter: Filter;
  sortByReward: boolean;
  groupByTask: boolean;
  /** All iterations instead of one. */
  everything: boolean;
  search: string;
  /** A filter by expression, as it is written. */
  expression: string;
}

export interface Choice extends Readonly<Omit<ListChoice, 'everything' | 'expression'>> {
  /** The filter by expression; all pass if not given. */
  readonly test?: ((rollout: RolloutView) => boolean) | null;
  /** Null shows all iterations. */
  readonly iteration: number | null;
}

export type Line =
  | { readonly kind: 'rollout'; readonly key: string; readonly rollout: RolloutView }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly prompt: string;
      readonly iteration: number;
      readonly count: number;
      readonly rewardMean: number;
    };

/** Where a rollout belongs. */
export type Placed = Pick<RolloutView, 'iteration' | 'index' | 'group' | 'taskId'>;

export const keyOf = (rollout: Placed): string => `${rollout.iteration}/${rollout.index}`;
export const groupKeyOf = (rollout: Placed): string => `${rollout.iteration}/group ${rollout.group}/${rollout.taskId}`;
export const sameGroup = (a: Placed, b: Placed): boolean =>
  a.iteration === b.iteration && a.group === b.group && a.taskId === b.taskId;

/** Tool calls that failed, and actions that could not be used, each counted once. */
export const errorCount = (rollout: RolloutView): number =>
  sum(
    rollout.steps.map((step) =>
      Math.max(step.toolCalls.filter((call) => call.error !== undefined).length, Number(step.error !== undefined)),
    ),
  );

export function iterationsOf(rollouts: readonly RolloutView[]): number[] {
  return [...new Set(rollouts.map((rollout) => rollout.iteration))].sort((a, b) => a - b);
}

/**
 * The iteration with rollouts that is nearest to a place on the curves; the latest without one; null without rollouts.
 */
export function nearestIteration(iterations: readonly number[], cursor: number | null): number | null {
  if (iterations.length === 0) return null;
  if (cursor === null) return iterations[iterations.length - 1];
  return iterations.reduce((best, next) => (Math.abs(next - cursor) < Math.abs(best - cursor) ? next : best));
}

/**
 * Who to read among `candidates` in place of a rollout of another iteration: the same task if it is there, else the
 * same place.
 */
export function counterpart(candidates: readonly RolloutView[], of: RolloutView): RolloutView | null {
  return (
    candidates.find((other) => other.taskId === of.taskId) ??
    candidates.find((other) => other.index === of.index) ??
    candidates[0] ??
    null
  );
}

export function choose(rollouts: readonly RolloutView[], choice: Choice): RolloutView[] {
  const wanted = choice.search.trim().toLowerCase();
  const { iteration } = choice;
  const all = iteration === null ? rollouts : rollouts.filter((rollout) => rollout.iteration === iteration);
  const chosen = all.filter(
    (rollout) =>
      passes(rollout, choice.filter) &&
      (!choice.test || choice.test(rollout)) &&
      (wanted === '' || mentions(rollout, wanted)),
  );
  if (choice.sortByReward) return chosen.sort((a, b) => b.reward - a.reward);
  return bySpread(chosen, all);
}

/** Within an iteration, groups whose rewards differ most come first: they are what is learned from. */
function bySpread(chosen: readonly RolloutView[], all: readonly RolloutView[]): RolloutView[] {
  const spreads = rewardSpreads(all);
  const spreadOf = (rollout: RolloutView) => spreads.get(groupKeyOf(rollout)) ?? 0;
  return [...chosen].sort((a, b) => a.iteration - b.iteration || spreadOf(b) - spreadOf(a) || a.index - b.index);
}

/** Standard deviation of the rewards of each group, by its key. */
export function rewardSpreads(rollouts: readonly RolloutView[]): ReadonlyMap<string, number> {
  const rewards = new Map<string, number[]>();
  for (const rollout of rollouts) {
    const key = groupKeyOf(rollout);
    const known = rewards.get(key);
    if (known) known.push(rollout.reward);
    else rewards.set(key, [rollout.reward]);
  }
  return new Map([...rewards].map(([key, values]) => [key, deviation(values)]));
}

function deviation(values: readonly number[]): number {
  const centre = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
}

/** Groups of an iteration that are at hand. */
export function keptGroups(rollouts: readonly RolloutView[], iteration: number): number {
  return new Set(rollouts.filter((rollout) => rollout.iteration === iteration).map(groupKeyOf)).size;
}

/** The chosen rollouts as lines; grouped, each task's rollouts follow a line about the task. */
export function linesOf(rollouts: readonly RolloutView[], groupByTask: boolean): Line[] {
  const line = (rollout: RolloutView): Line => ({ kind: 'rollout', key: keyOf(rollout), rollout });
  if (!groupByTask) return rollouts.map(line);
  const groups = new Map<string, RolloutView[]>();
  for (const rollout of rollouts) {
    const key = groupKeyOf(rollout);
    const members = groups.get(key);
    if (members) members.push(rollout);
    else groups.set(key, [rollout]);
  }
  return [...groups].flatMap(([key, members]): Line[] => [
    {
      kind: 'group',
      key,
      prompt: members[0].prompt,
      iteration: members[0].iteration,
      count: members.length,
      rewardMean: mean(members.map((member) => member.reward)),
    },
    ...members.map(line),
  ]);
}

function passes(rollout: RolloutView, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'solved':
      return rollout.success;
    case 'failed':
      return !rollout.success;
    case 'errors':
      return errorCount(rollout) > 0;
  }
}

function mentions(rollout: RolloutView, wanted: string): boolean {
  const has = (text: string | undefined): boolean => text !== undefined && text.toLowerCase().includes(wanted);
  return (
    has(rollout.prompt) ||
    has(rollout.answer) ||
    rollout.steps.some(
      (step) =>
        has(step.text) ||
        step.messages.some((message) => has(message.content)) ||
        step.toolCalls.some((call) => has(call.result)),
    )
  );
}
