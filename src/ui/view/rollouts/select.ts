/** Which rollouts the list shows, in which order, and which rows are rendered. Pure. */
import { mean, sum } from '../../../lib/mean';
import type { RolloutView } from '../../../rl/rollouts/view';

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
  /** Tasks at which most attempts fail come after the others of their iteration. */
  readonly failingLast?: boolean;
}

/** A task at which most attempts of an iteration fail. */
export interface FailingTask {
  /** The first attempt that failed. */
  readonly attempt: RolloutView;
  readonly failed: number;
  readonly count: number;
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
  return bySpread(chosen, all, choice.failingLast ?? false);
}

/** Within an iteration, groups whose rewards differ most come first: they are what is learned from. */
function bySpread(chosen: readonly RolloutView[], all: readonly RolloutView[], failingLast: boolean): RolloutView[] {
  const spreads = rewardSpreads(all);
  const spreadOf = (rollout: RolloutView) => spreads.get(groupKeyOf(rollout)) ?? 0;
  const failing = new Set(failingLast ? failingTasks(all).map(({ attempt }) => groupKeyOf(attempt)) : []);
  const fails = (rollout: RolloutView) => Number(failing.has(groupKeyOf(rollout)));
  return [...chosen].sort(
    (a, b) => a.iteration - b.iteration || fails(a) - fails(b) || spreadOf(b) - spreadOf(a) || a.index - b.index,
  );
}

/** The tasks at which more than half of the attempts fail, those that fail most often first. */
export function failingTasks(rollouts: readonly RolloutView[]): FailingTask[] {
  const groups = new Map<string, RolloutView[]>();
  for (const rollout of rollouts)
    groups.set(groupKeyOf(rollout), [...(groups.get(groupKeyOf(rollout)) ?? []), rollout]);
  return [...groups.values()]
    .map((group) => ({ failures: group.filter(({ success }) => !success), count: group.length }))
    .filter(({ failures, count }) => 2 * failures.length > count)
    .sort((a, b) => b.failures.length / b.count - a.failures.length / a.count)
    .map(({ failures, count }) => ({ attempt: failures[0], failed: failures.length, count }));
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

/** Lists up to this long are rendered whole. */
export const maxUnwindowedRows = 200;
const extraRows = 12;

/** Ascending row numbers. */
export function rowsToRender(
  count: number,
  scrollTopPx: number,
  heightPx: number,
  rowPx: number,
  active: number,
): number[] {
  if (count <= maxUnwindowedRows) return Array.from({ length: count }, (_, i) => i);
  const from = Math.max(0, Math.floor(scrollTopPx / rowPx) - extraRows);
  const to = Math.min(count, Math.ceil((scrollTopPx + heightPx) / rowPx) + extraRows);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  if (active < 0 || active >= count || (active >= from && active < to)) return rows;
  return active < from ? [active, ...rows] : [...rows, active];
}
