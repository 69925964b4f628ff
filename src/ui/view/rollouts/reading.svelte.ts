/**
 * The selected rollouts of a run: those that pass the list's filter, and the one that is open in the reader. List and
 * reader are two places of the page and share it. Made by a component, whose effects follow the run.
 */
import type { RolloutView } from '../../../rl/rollouts/view';
import { filterNames, parseFilter } from '../../../share/rollout-filter';
import {
  choose,
  counterpart,
  keptGroups,
  linesOf,
  nearestIteration,
  type ListChoice,
} from '../../../presentation/rollout-list';
import { failingTasks, iterationsOf, keyOf, sameGroup } from '../../../share/rollout-groups';

/** Without a pick, the rollout being read changes at most this often. */
const minReadMs = 2500;

export const noFilter = { filter: 'all', search: '', expression: '' } as const;

/** What it reads of the displayed run. */
interface Shown {
  readonly rollouts: readonly RolloutView[];
  /** Iteration under the crosshair of the curves; null follows the latest. */
  cursor: number | null;
  /** The preset whose recorded run is shown; null for a run of this tab. */
  readonly recordedPreset: string | null;
  /** A run of this tab is shown at its end. */
  readonly isFinished: boolean;
  /** A finished run's answer to a new task, which is read without a pick; null if it has none. */
  readonly solvedAnswer: RolloutView | null;
  /** Key of the rollout that the address asks for; null once it was looked for. */
  wantedRollout: string | null;
}

export class Reading {
  choice = $state<ListChoice>({ ...noFilter, groupByTask: false, sortByReward: false, everything: false });
  #picked = $state.raw<RolloutView | null>(null);
  #offered = $state.raw<RolloutView | null>(null);
  #offeredAt = 0;
  /** Key of the rollout that the address asked for, if it is not there. */
  missing = $state<string | null>(null);

  readonly rollouts = $derived.by(() => this.page.rollouts);
  readonly iterations = $derived.by(() => iterationsOf(this.rollouts));
  readonly latest = $derived.by(() => this.iterations.at(-1) ?? null);
  /** The iteration of the rollout being read; without a crosshair or a pick, that follows the latest. */
  readonly iteration = $derived.by(() =>
    nearestIteration(this.iterations, this.page.cursor ?? (this.picked ?? this.#offered)?.iteration ?? null),
  );
  readonly followsLatest = $derived.by(() => this.page.cursor === null && !this.picked);
  /** What a filter by expression may name. */
  readonly names = $derived.by(() => filterNames(this.rollouts));
  /** The filter by expression; null without one. */
  readonly filter = $derived.by(() =>
    this.choice.expression.trim() === '' ? null : parseFilter(this.choice.expression, this.names),
  );
  readonly chosen = $derived.by(() => this.#chosenOf(this.iteration));
  readonly #newest = $derived.by(() =>
    this.followsLatest && this.iteration !== this.latest ? this.#chosenOf(this.latest) : this.chosen,
  );
  /** Groups of the iteration that are here. */
  readonly kept = $derived.by(() =>
    this.iteration === null || this.choice.everything ? null : keptGroups(this.rollouts, this.iteration),
  );
  readonly lines = $derived.by(() => linesOf(this.chosen, this.choice.groupByTask));
  /** The answer of a finished run is read: no rollout of the list. */
  readonly isAnswer = $derived.by(() => !this.picked && this.page.cursor === null && this.page.solvedAnswer !== null);
  /** What is read. */
  readonly shown = $derived.by(() => (this.isAnswer ? this.page.solvedAnswer : this.practised));
  /**
   * The rollout of the list that is read, or would be without that answer. A pick stays until the crosshair moves to
   * another iteration; then its counterpart there is read.
   */
  readonly practised = $derived.by(() => {
    const { picked } = this;
    if (!picked) return this.#offered;
    const inPlace = this.page.cursor === null || this.choice.everything || picked.iteration === this.iteration;
    return inPlace ? picked : counterpart(this.chosen, picked);
  });
  /** Rollouts of the same task as the one being read, which is among them; an answer has none beside it. */
  readonly group = $derived.by(() => (this.isAnswer ? [] : this.#beside(sameGroup)));
  /** Tasks of a finished run's last iteration at which most rollouts fail. */
  readonly failing = $derived.by(() =>
    this.page.isFinished ? failingTasks(this.rollouts.filter(({ iteration }) => iteration === this.latest)) : [],
  );
  /** Rollouts of the same iteration. */
  readonly batch = $derived.by(() => this.#beside((a, b) => a.iteration === b.iteration));

  /** @param onPick a rollout was picked to be read */
  constructor(
    private readonly page: Shown,
    private readonly onPick: () => void,
  ) {
    $effect(() => this.leaveOldRun());
    $effect(() => this.openWanted());
    $effect(() => this.offerNewest());
  }

  /** A new run has other rollouts, so the pick ends with the old run. */
  leaveOldRun(): void {
    const { picked, rollouts } = this;
    if (picked && !rollouts.includes(picked) && rollouts.every(({ iteration }) => iteration < picked.iteration))
      this.#picked = null;
  }

  /** Picks the rollout that the address names, once the recorded run is there. */
  openWanted(): void {
    const { page, rollouts } = this;
    if (page.wantedRollout === null || page.recordedPreset === null || rollouts.length === 0) return;
    const found = rollouts.find((rollout) => keyOf(rollout) === page.wantedRollout);
    this.missing = found ? null : page.wantedRollout;
    page.wantedRollout = null;
    if (found) this.pick(found);
  }

  /** Without a pick the newest is read, unless the one before was read too shortly. @returns stops waiting for that */
  offerNewest(): (() => void) | undefined {
    const { page, rollouts } = this;
    const first = this.#newest[0] ?? null;
    const readMs = performance.now() - this.#offeredAt;
    const offered = this.#offered;
    if (first && offered && readMs < minReadMs && rollouts.includes(offered) && page.cursor === null) {
      // A run that pauses or ends now sends no more events, so a timer catches up.
      const timer = setTimeout(() => this.#offer(first), minReadMs - readMs);
      return () => clearTimeout(timer);
    }
    if (first || rollouts.length === 0) this.#offer(first);
  }

  get picked(): RolloutView | null {
    return this.#picked;
  }

  /** Iteration under the crosshair. */
  get cursor(): number | null {
    return this.page.cursor;
  }

  pick(rollout: RolloutView): void {
    this.#picked = rollout;
    this.onPick();
  }

  /** Shows the rollouts of an iteration; null follows the latest. */
  show(iteration: number | null): void {
    this.page.cursor = iteration;
    this.#picked = null;
  }

  /** Picks the rollout so many rows below the one being read. */
  move(by: number): void {
    if (this.chosen.length === 0) return;
    const key = this.shown && !this.isAnswer ? keyOf(this.shown) : '';
    const order = this.lines.flatMap((line) => (line.kind === 'rollout' ? [line.rollout] : []));
    const at = order.findIndex((rollout) => keyOf(rollout) === key);
    this.pick(order[at < 0 ? 0 : Math.min(Math.max(at + by, 0), order.length - 1)]);
  }

  showAll(): void {
    Object.assign(this.choice, noFilter);
  }

  #chosenOf(iteration: number | null): RolloutView[] {
    const test = this.filter?.test;
    const failingLast = this.page.isFinished;
    const shownIteration = this.choice.everything ? null : iteration;
    return choose(this.rollouts, { ...this.choice, test, failingLast, iteration: shownIteration });
  }

  #beside(belongs: (a: RolloutView, b: RolloutView) => boolean): readonly RolloutView[] {
    const { practised } = this;
    return practised ? this.rollouts.filter((rollout) => belongs(rollout, practised)) : [];
  }

  #offer(rollout: RolloutView | null): void {
    this.#offered = rollout;
    this.#offeredAt = performance.now();
  }
}
