/** Chat with one agent: answers one message at a time with a sampler of its own, also while training runs. */
import type { Device } from '../device/device';
import { Sampler } from '../model/sampler';
import type { Task, Trajectory } from '../agent/types';
import { chatTasks, chatWith, type ChatListener } from '../rl/rollouts/chat';
import type { Trainer } from '../rl/trainer';
import { Lazy } from './lazy';

export class ChatSession {
  private readonly sampler = new Lazy(() => this.open());
  private tasks: readonly Task[] | null = null;
  private last: Promise<unknown> = Promise.resolve();

  /** @param check awaited before an answer and between its submissions; throws to abandon it */
  constructor(
    private readonly device: Device,
    private readonly agent: Pick<Trainer, 'setup' | 'store'>,
    private readonly check: () => Promise<void>,
  ) {}

  /** @returns the episode. Rejects with a sentence if there is no answer. */
  ask(message: string, listener: ChatListener): Promise<Trajectory> {
    const answer = this.last.then(() => this.answer(message, listener));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private async answer(message: string, listener: ChatListener): Promise<Trajectory> {
    try {
      await this.check();
      const { setup } = this.agent;
      this.tasks ??= await chatTasks(setup);
      return await chatWith(setup, this.tasks, await this.sampler.get(), message, listener);
    } catch (error) {
      const cause = await this.device.causeOf(error);
      if (!this.device.lost) throw cause;
      throw new Error('The graphics device was lost while the agent answered. Ask again in a moment.', {
        cause: error,
      });
    }
  }

  private open(): Promise<Sampler> {
    const { device, check } = this;
    const { setup, store } = this.agent;
    const options = { slots: 1, contextLength: setup.config.model.context, beforeSubmit: check };
    return device.guarded('a conversation', async () => {
      const sampler = new Sampler(device, store, setup.model, options);
      await device.compiled();
      return sampler;
    });
  }

  /** Waits for the current answer, then frees the memory. */
  async close(): Promise<void> {
    await this.last;
    (await this.sampler.existing())?.destroy();
  }
}
