/** Which rollouts the list shows, in which order, and which rows are rendered. Pure. */
import { mean } from '../lib/mean';
import type { RolloutView } from '../rl/rollouts/view';
import { errorCount } from '../share/rollout-filter';
import { failingTasks, groupKeyOf, groupsOf, keyOf, rewardSpreads } from '../share/rollout-groups';

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
  /** Tasks at which most rollouts fail come after the others of their iteration. */
  readonly failingLast?: boolean;
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
  const failing = new Set(failingLast ? failingTasks(all).map(({ rollout }) => groupKeyOf(rollout)) : []);
  const fails = (rollout: RolloutView) => Number(failing.has(groupKeyOf(rollout)));
  return [...chosen].sort(
    (a, b) => a.iteration - b.iteration || fails(a) - fails(b) || spreadOf(b) - spreadOf(a) || a.index - b.index,
  );
}

/** Groups of an iteration that are at hand. */
export function keptGroups(rollouts: readonly RolloutView[], iteration: number): number {
  return new Set(rollouts.filter((rollout) => rollout.iteration === iteration).map(groupKeyOf)).size;
}

/** The chosen rollouts as lines; grouped, each task's rollouts follow a line about the task. */
export function linesOf(rollouts: readonly RolloutView[], groupByTask: boolean): Line[] {
  const line = (rollout: RolloutView): Line => ({ kind: 'rollout', key: keyOf(rollout), rollout });
  if (!groupByTask) return rollouts.map(line);
  return [...groupsOf(rollouts)].flatMap(([key, members]): Line[] => [
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

/** What the longest bar stands for, 1 where all are 0. */
export const largestAdvantage = (lines: readonly Line[]): number =>
  Math.max(0, ...lines.map((line) => (line.kind === 'rollout' ? Math.abs(line.rollout.advantage) : 0))) || 1;

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

/**
 * What a key does in a list of suggestions that is open.
 * @param active place of the marked suggestion, −1 without one
 * @returns the place to mark; null for a key that is meant for the field
 */
export function suggestionKey(key: string, active: number, count: number): number | 'accept' | 'close' | null {
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return (active <= 0 ? count : active) - 1;
  if (key === 'Escape') return 'close';
  return key === 'Enter' && active >= 0 ? 'accept' : null;
}
