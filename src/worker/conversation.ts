/**
 * Questions to one trainer's agent, answered one after another by a sampler of their own, whether training runs or
 * waits.
 */
import type { Device } from '../gpu/device';
import { Sampler } from '../model/sampler';
import { chatWith, type ChatListener } from '../rl/rollouts/chat';
import type { Trainer } from '../rl/trainer';

export class Conversation {
  private sampler: Promise<Sampler> | null = null;
  private last: Promise<void> = Promise.resolve();

  /** @param check awaited between GPU submissions; throws to leave */
  constructor(
    private readonly device: Device,
    private readonly trainer: Trainer,
    private readonly check: () => Promise<void>,
  ) {}

  /** Rejects with a sentence if there is no answer. */
  ask(message: string, listener: ChatListener): Promise<void> {
    const answer = this.last.then(() => this.answer(message, listener));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async answer(message: string, listener: ChatListener): Promise<void> {
    try {
      await chatWith(this.trainer.stage, await this.open(), message, listener);
    } catch (error) {
      const cause = await this.device.causeOf(error);
      if (!this.device.lost) throw cause;
      throw new Error('The graphics device was lost while the agent answered. Ask again in a moment.', {
        cause: error,
      });
    }
  }

  private open(): Promise<Sampler> {
    const { device, trainer, check } = this;
    const { stage, store } = trainer;
    const options = { slots: 1, contextLength: stage.config.model.context, between: check };
    this.sampler ??= device
      .guarded('a conversation', () => Sampler.create(device, store, stage.shape, options))
      .catch((error: unknown) => {
        this.sampler = null;
        throw error;
      });
    return this.sampler;
  }

  /** Waits for the answer being given and frees the memory. */
  async close(): Promise<void> {
    await this.last;
    (await this.sampler?.catch(() => null))?.destroy();
  }
}
