/** Which checkpoint is looked at, and what its agent and the newest one answer to the same tasks. */
import { untrack } from 'svelte';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { TrainerApi } from '../../../worker/protocol';
import { sentenceOf } from '../../../lib/sentences';
import { text, type Score } from './text';

/** A slider that is dragged passes many checkpoints; only one that it rests on is asked. */
const restMs = 150;

/** The answers of both agents to one task. */
export interface Pair {
  readonly then: RolloutView;
  readonly now: RolloutView;
}

interface Kept {
  /** Iterations of the checkpoints, ascending. */
  readonly iterations: readonly number[];
  readonly api: Pick<TrainerApi, 'answersAt'> | null;
}

export class Travel {
  /** The iteration that was chosen; null before the first use. */
  #chosen = $state<number | null>(null);
  pairs = $state.raw<readonly Pair[]>([]);
  /** What to say of the answers. */
  summary = $state('');
  problem = $state('');
  asking = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the questions: only the answer to the last one counts. */
  #asked = 0;

  readonly isUsed = $derived.by(() => this.#chosen !== null);
  /** Of the last checkpoint up to the chosen iteration, which may have been thinned out. */
  readonly index = $derived.by(() => {
    const { iterations } = this.kept;
    const chosen = this.#chosen ?? Infinity;
    return Math.max(
      0,
      iterations.findLastIndex((each) => each <= chosen),
    );
  });
  readonly iteration = $derived.by(() => this.kept.iterations[this.index]);

  /** Made by a component, whose effects ask the agents. */
  constructor(private readonly kept: Kept) {
    $effect(() => {
      // Another run begins.
      if (this.kept.iterations.length === 0) this.#leave();
    });
    $effect(() => {
      if (this.isUsed && this.iteration !== undefined) untrack(() => this.#askSoon());
      return () => clearTimeout(this.#timer);
    });
  }

  /** @param index among the checkpoints; beyond them, the nearest */
  choose(index: number): void {
    const { iterations } = this.kept;
    this.#chosen = iterations[Math.min(Math.max(index, 0), iterations.length - 1)] ?? null;
  }

  #leave(): void {
    this.#asked++;
    this.#chosen = null;
    this.pairs = [];
    this.summary = '';
    this.problem = '';
  }

  #askSoon(): void {
    this.asking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), restMs);
  }

  /** Asks both agents now. */
  async ask(): Promise<void> {
    const { iteration } = this;
    const { api, iterations } = this.kept;
    const question = ++this.#asked;
    const newest = iterations.at(-1);
    if (!api || newest === undefined) return;
    try {
      const [then, now] = await Promise.all([api.answersAt(iteration), api.answersAt(newest)]);
      if (question !== this.#asked) return;
      this.pairs = then.map((each, i) => ({ then: each, now: now[i] }));
      this.summary = text.solved(scoreOf(iteration, then), scoreOf(newest, now));
      this.problem = '';
    } catch (error) {
      if (question === this.#asked) this.problem = text.problem(sentenceOf(error));
    }
    if (question === this.#asked) this.asking = false;
  }
}

const scoreOf = (step: number, answers: readonly RolloutView[]): Score => ({
  step,
  solved: answers.filter(({ success }) => success).length,
  of: answers.length,
});
