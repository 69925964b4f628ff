/** A trainer for the lessons, apart from the Lab's: its runs are small and kept nowhere. */
import type { Explanation } from '../../../rl/diagnostics/token-explanation';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { RunEvent } from '../../../run/events';
import { runLinks } from '../../base/address';
import { LiveRun } from '../../state/run/live-run.svelte';
import { startTrainer, type TrainerClient } from '../../trainer/trainer-client';
import { text } from './text';

export class Practice {
  readonly run = new LiveRun();
  #trainer: TrainerClient | null = null;
  /** Ends the run that is under way, with a sentence if it failed. */
  #end: (problem: string | null) => void = () => undefined;

  /** Trains the run of a link to its end, in place of any other. Rejects with a sentence. */
  async train(link: string): Promise<void> {
    this.#end(text.practice.replaced);
    this.run.clear('preparing');
    const ended = new Promise<void>((resolve, reject) => {
      this.#end = (problem) => (problem === null ? resolve() : reject(new Error(problem)));
    });
    ended.catch(() => undefined);
    await Promise.race([ended, this.#begin(link)]);
    await ended;
  }

  /** The numbers of a rollout's tokens as its update began. Rejects with a sentence. */
  async explain(rollout: RolloutView): Promise<Explanation> {
    if (!this.#trainer || !this.run.started) throw new Error(text.practice.stopped);
    return this.#trainer.api.explainTokens(rollout, this.run.started.config);
  }

  /** Ends the run and the trainer; the next run starts another. */
  stop(): void {
    this.#trainer?.terminate();
    this.#trainer = null;
    this.run.clear(null);
    this.#end(text.practice.stopped);
  }

  async #begin(link: string): Promise<void> {
    const trainer = (this.#trainer ??= this.#start());
    const { config } = await (await runLinks()).openRunLink(link);
    await trainer.api.train(config, null);
  }

  #start(): TrainerClient {
    const trainer = startTrainer(
      (sentence) => {
        if (trainer !== this.#trainer) return;
        this.#end(sentence);
        this.stop();
      },
      { apart: true },
    );
    void trainer.subscribe((event) => this.#onEvent(event));
    return trainer;
  }

  #onEvent(event: RunEvent): void {
    this.run.take(event, performance.now());
    if (event.type !== 'state') return;
    if (event.state === 'finished') this.#end(null);
    if (event.state === 'failed') this.#end(event.message ?? text.practice.failed);
  }
}
