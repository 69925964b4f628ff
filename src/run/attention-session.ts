/**
 * Where the heads of an agent look: of the current one or of a kept checkpoint, one question at a time, also while
 * training runs.
 */
import type { Device } from '../device/device';
import { ParameterStore } from '../model/parameters';
import { loadCheckpointWeights } from '../rl/checkpoint';
import { AttentionReader, type AttentionReading, type TokenQuestion } from '../rl/learner/attention-reader';
import type { RolloutView } from '../rl/rollouts/view';
import { viewSteps } from '../rl/rollouts/view-steps';
import type { Trainer } from '../rl/trainer';
import { Lazy } from './lazy';

/** By the agent of a moment. */
export interface Look extends AttentionReading {
  /** Steps that the agent had finished. */
  readonly after: number;
  /** Its weights may have changed meanwhile, by the update of the next step. */
  readonly updating: boolean;
}

/** A kept checkpoint, and how it is read. */
export interface KeptAgent {
  readonly iteration: number;
  readonly read: () => Promise<Uint8Array>;
}

interface PastReader {
  readonly store: ParameterStore;
  readonly reader: AttentionReader;
}

export class AttentionSession {
  private readonly current = new Lazy(() => this.open((store) => this.readerOf(store)));
  private readonly past = new Lazy(() => this.open((base) => this.pastReader(base)));
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly device: Device,
    /** Its frozen weights are shared. */
    private readonly trainer: Trainer,
  ) {}

  /** @param kept null asks the agent as it is now. Rejects with a sentence if the rollout cannot be read. */
  look(rollout: RolloutView, place: TokenQuestion, kept: KeptAgent | null): Promise<Look> {
    const look = this.last.then(() => (kept ? this.lookAt(rollout, place, kept) : this.lookNow(rollout, place)));
    this.last = look.catch(() => undefined);
    return look;
  }

  private async lookNow(rollout: RolloutView, place: TokenQuestion): Promise<Look> {
    const { device, trainer } = this;
    try {
      const reader = await this.current.get();
      const { iteration: after } = trainer.progress;
      const began = trainer.isBetweenUpdates;
      const reading = await this.readWith(reader, rollout, place);
      const updating = !began || !trainer.isBetweenUpdates || trainer.progress.iteration !== after;
      return { ...reading, after, updating };
    } catch (error) {
      throw await device.causeOf(error);
    }
  }

  private async lookAt(rollout: RolloutView, place: TokenQuestion, { iteration, read }: KeptAgent): Promise<Look> {
    const checkpoint = await read();
    try {
      const { store, reader } = await this.past.get();
      loadCheckpointWeights(store, this.trainer.setup.model.tokenizer, checkpoint);
      return { ...(await this.readWith(reader, rollout, place)), after: iteration, updating: false };
    } catch (error) {
      throw await this.device.causeOf(error);
    }
  }

  private readWith(reader: AttentionReader, rollout: RolloutView, place: TokenQuestion): Promise<AttentionReading> {
    const { config, model } = this.trainer.setup;
    return reader.read(
      viewSteps(rollout, model.tokenizer.image),
      place,
      place.temperature ?? config.rollout.temperature,
    );
  }

  private open<Opened>(make: (store: ParameterStore) => Opened): Promise<Opened> {
    const { device, trainer } = this;
    return device.guarded('where the heads look', async () => {
      const made = make(trainer.store);
      await device.compiled();
      return made;
    });
  }

  private readerOf(store: ParameterStore): AttentionReader {
    const { model, config } = this.trainer.setup;
    return new AttentionReader(this.device, store, model, config.model.context);
  }

  private pastReader(base: ParameterStore): PastReader {
    const store = new ParameterStore(this.device, this.trainer.setup.model.specs, base);
    return { store, reader: this.readerOf(store) };
  }

  /** Waits for the current answer, then frees the memory. */
  async close(): Promise<void> {
    await this.last;
    (await this.current.existing())?.destroy();
    const past = await this.past.existing();
    past?.reader.destroy();
    past?.store.destroy();
  }
}
