/**
 * A visitor's rounds: on a task that the agent answered, with the same tools, turns and reward; or on a practice task,
 * of which a solved round can teach the agent.
 */
import type { DemonstrationTurn } from '../../../agent/env';
import type { RunConfig } from '../../../config/config';
import { readRounds, roundsProblem, writeRounds, type TaughtRound } from '../../../config/rounds';
import { sameJson } from '../../../lib/same-json';
import { sentenceOf } from '../../../lib/sentences';
import type { RoundView } from '../../../rl/rollouts/rounds';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { Setup } from '../../state/setup/setup.svelte';
import type { TrainerClient } from '../../trainer/trainer-client';
import { text } from './text';

export class RoundPlayer {
  /** Rounds are played to teach: on practice tasks, in the setup. */
  teaching = $state(false);
  turns = $state.raw<readonly DemonstrationTurn[]>([]);
  round = $state.raw<RoundView | null>(null);
  problem = $state('');
  busy = $state(false);
  /** Of the agent, whose answers are kept as they were when the visitor began. */
  #config = $state.raw<RunConfig | null>(null);
  #tasks = $state.raw<readonly (readonly RolloutView[])[]>([]);
  #place = $state(0);
  /** Place of the practice task. */
  #lesson = $state(0);
  /** Whether the first try of each task solved it, by its place in the validation. */
  #firstTries = $state.raw<ReadonlyMap<number, boolean>>(new Map());
  /** Counts the questions to the trainer: an answer to an earlier one is left out. */
  #asked = 0;

  /** The agent's, to the task at hand. */
  readonly answers = $derived.by(() => (this.#tasks.length > 0 ? this.#tasks[this.#place % this.#tasks.length] : []));
  readonly taught: readonly TaughtRound[] = $derived.by(() => {
    const written = this.setup.config?.warmStart.rounds;
    return roundsProblem(written) === null ? readRounds(written) : [];
  });
  readonly isKept = $derived.by(() =>
    this.taught.some(({ task, turns }) => task === this.#lesson && sameJson(turns, this.turns)),
  );
  readonly isOver = $derived.by(() => this.round !== null && this.round.end !== null);
  readonly tried = $derived.by(() => this.#firstTries.size);
  readonly solved = $derived.by(() => [...this.#firstTries.values()].filter(Boolean).length);

  constructor(
    private readonly setup: Pick<Setup, 'config' | 'teach'>,
    private readonly api: () => Pick<TrainerClient['api'], 'play'> | null,
  ) {}

  get #index(): number {
    return this.teaching ? this.#lesson : (this.answers[0]?.index ?? this.#place);
  }

  /** @param tasks of each task the agent's answers @returns whether the first task is there */
  open(config: RunConfig | null, tasks: readonly (readonly RolloutView[])[]): Promise<boolean> {
    this.#config = config;
    this.#tasks = tasks;
    this.#place = 0;
    this.teaching = false;
    this.#lesson = this.#freeFrom(0);
    this.#firstTries = new Map();
    return this.begin();
  }

  /** Answers that are still to come are left out. */
  close(): void {
    this.#asked++;
  }

  /** The task at hand from its first turn. */
  begin(): Promise<boolean> {
    this.turns = [];
    this.round = null;
    return this.#play([]);
  }

  next(): Promise<boolean> {
    if (this.teaching) this.#lesson = this.#freeFrom(this.#lesson + 1);
    else this.#place++;
    return this.begin();
  }

  turnTo(teaching: boolean): Promise<boolean> {
    this.teaching = teaching;
    return this.begin();
  }

  /** @returns whether the turn was played */
  async act(turn: DemonstrationTurn): Promise<boolean> {
    return !this.busy && !this.isOver && this.#play([...this.turns, turn]);
  }

  /** The round at hand becomes one that the warm start imitates. */
  keep(): void {
    const all = writeRounds([...this.taught, { task: this.#lesson, turns: [...this.turns] }]);
    const refused = roundsProblem(all);
    this.problem = refused === null ? '' : text.refused(refused);
    if (refused === null) this.setup.teach(all);
  }

  remove(round: TaughtRound): void {
    this.setup.teach(writeRounds(this.taught.filter((each) => !sameJson(each, round))));
  }

  /** The first practice task from there on that no round teaches. */
  #freeFrom(task: number): number {
    return this.taught.some((each) => each.task === task) ? this.#freeFrom(task + 1) : task;
  }

  async #play(wanted: readonly DemonstrationTurn[]): Promise<boolean> {
    const config = this.teaching ? this.setup.config : this.#config;
    const api = this.api();
    if (!config || !api) {
      this.problem = text.notReady;
      return false;
    }
    const index = this.#index;
    const question = ++this.#asked;
    this.busy = true;
    this.problem = '';
    try {
      const view = await api.play({ split: this.teaching ? 'train' : 'validation', index, turns: wanted }, config);
      if (question !== this.#asked) return false;
      const isPlayed = view.steps.length === wanted.length;
      if (isPlayed) this.turns = wanted;
      this.round = view;
      this.problem = view.problem ?? '';
      if (!this.teaching && view.end !== null && !this.#firstTries.has(index))
        this.#firstTries = new Map([...this.#firstTries, [index, view.success]]);
      return isPlayed;
    } catch (error) {
      if (question === this.#asked) this.problem = sentenceOf(error);
      return false;
    } finally {
      if (question === this.#asked) this.busy = false;
    }
  }
}
