/** Earlier agents of a run: each answers the same held-out tasks, with weights of a checkpoint, also in training. */
import type { Device } from '../device/device';
import { ParameterStore } from '../model/parameters';
import { Sampler } from '../model/sampler';
import { zeroCredit } from '../algorithms/credit';
import { loadCheckpointWeights } from '../rl/checkpoint';
import { Evaluation } from '../rl/rollouts/evaluation';
import { rolloutView, type RolloutView } from '../rl/rollouts/view';
import type { Trainer } from '../rl/trainer';
import { Lazy } from './lazy';

/** Held-out tasks: the first of those of the validation. */
const taskCount = 3;

interface PastAgent {
  readonly store: ParameterStore;
  readonly sampler: Sampler;
  readonly evaluation: Evaluation;
}

export class PastSession {
  private readonly agent = new Lazy(() => this.open());
  private readonly answers = new Map<number, Promise<readonly RolloutView[]>>();
  private last: Promise<unknown> = Promise.resolve();

  /** @param check awaited before an answer and between its submissions; throws to abandon it */
  constructor(
    private readonly device: Device,
    /** Its frozen weights are shared. */
    private readonly trainer: Pick<Trainer, 'setup' | 'store'>,
    private readonly check: () => Promise<void>,
  ) {}

  /**
   * What the agent of an iteration answers; asked once.
   * @param read reads the checkpoint of that iteration. Rejects with a sentence if there is no answer.
   */
  answersAt(iteration: number, read: () => Promise<Uint8Array>): Promise<readonly RolloutView[]> {
    const known = this.answers.get(iteration);
    if (known) return known;
    const answers = this.last.then(() => this.play(iteration, read));
    this.answers.set(iteration, answers);
    this.last = answers.catch(() => this.answers.delete(iteration));
    return answers;
  }

  private async play(iteration: number, read: () => Promise<Uint8Array>): Promise<readonly RolloutView[]> {
    const { device, check } = this;
    const { setup } = this.trainer;
    await check();
    const checkpoint = await read();
    try {
      const { store, sampler, evaluation } = await this.agent.get();
      loadCheckpointWeights(store, setup.model.tokenizer, checkpoint);
      sampler.clearCache();
      const attempts = await evaluation.run(sampler, { beforeSubmit: check });
      const { lossMask } = setup.config.algorithm;
      return attempts.map((each, index) => rolloutView(each, { iteration, index }, zeroCredit(each), lossMask));
    } catch (error) {
      throw await device.causeOf(error);
    }
  }

  private open(): Promise<PastAgent> {
    const { device, check } = this;
    const { setup, store: base } = this.trainer;
    return device.guarded('an earlier agent', async () => {
      const { config, model } = setup;
      const tasks = Math.min(taskCount, config.evaluation.tasks);
      const store = new ParameterStore(device, model.specs, base);
      const options = { slots: tasks, contextLength: config.model.context, beforeSubmit: check };
      const sampler = new Sampler(device, store, model, options);
      await device.compiled();
      return { store, sampler, evaluation: new Evaluation(setup, tasks) };
    });
  }

  /** Waits for the current answer, then frees the memory. */
  async close(): Promise<void> {
    await this.last;
    const agent = await this.agent.existing();
    agent?.sampler.destroy();
    agent?.store.destroy();
  }
}
