/**
 * Chat before there is a run: the agent of a preset's recorded warm start answers. It uses the device and the sandbox
 * of the run to come, and is closed before that begins.
 */
import type { Device } from '../device/device';
import { ParameterStore } from '../model/parameters';
import type { RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { loadRecordedStart, recordedPreset } from '../rl/learner/recorded-start';
import type { ChatListener } from '../rl/rollouts/chat';
import { prepareRun, type RunSetup } from '../rl/rollouts/setup';
import { ChatSession } from '../run/chat-session';
import type { RunParts } from '../run/run-parts';

type Surroundings = Pick<RunParts, 'deviceFor' | 'openDevice' | 'openSandbox' | 'readRecordedStart'>;

export interface StartChatParts extends Surroundings {
  /** Does work while no run begins or ends. Rejects with a sentence if there is a run. */
  readonly withoutRun: <T>(work: () => Promise<T>) => Promise<T>;
}

export class StartChat {
  private agent: StartAgent | null = null;

  constructor(private readonly parts: StartChatParts) {}

  /** Rejects with a sentence if there is no answer. */
  async ask(config: RunConfig, message: string, listener: ChatListener): Promise<void> {
    const agent = this.agent?.answersFor(config) ? this.agent : await this.open(config);
    await agent.chat.ask(message, listener);
  }

  private async open(config: RunConfig): Promise<StartAgent> {
    const { parts } = this;
    const preset = recordedPreset(config);
    if (preset === null) throw new Error('No recorded agent fits this setup: press Train, then ask again.');
    // Outside `withoutRun`: a site that does not answer holds up no run.
    const file = await parts.readRecordedStart(preset);
    return parts.withoutRun(async () => {
      await this.close();
      return (this.agent = await StartAgent.open(parts, config, file));
    });
  }

  /** Stops the answer in progress and frees the memory. */
  async close(): Promise<void> {
    const { agent } = this;
    this.agent = null;
    await agent?.close();
  }
}

class StartAgent {
  readonly chat: ChatSession;
  private closed = false;

  private constructor(
    private readonly device: Device,
    private readonly config: RunConfig,
    setup: RunSetup,
    private readonly store: ParameterStore,
  ) {
    this.chat = new ChatSession(device, { setup, store }, async () => {
      if (this.closed) throw new Error('This answer was stopped, because its agent is gone. Ask again.');
    });
  }

  /** @param file the recorded warm start of the config's preset */
  static async open(parts: Surroundings, config: RunConfig, file: Uint8Array): Promise<StartAgent> {
    const device = await parts.openDevice(await parts.deviceFor(config.device));
    try {
      const setup = await prepareRun(config, environmentSource(config), await parts.openSandbox());
      const store = await device.guarded('this agent', async () => {
        const weights = new ParameterStore(device, setup.model.specs);
        weights.initialiseFrozen(config.seed);
        await loadRecordedStart(file, weights, setup.model.tokenizer);
        return weights;
      });
      return new StartAgent(device, config, setup, store);
    } catch (error) {
      throw await device.causeOf(error);
    }
  }

  /** Whether it is the agent of this config, on a device that can be trusted. */
  answersFor(config: RunConfig): boolean {
    const { lost, uncapturedError } = this.device;
    return !lost && uncapturedError === null && JSON.stringify(config) === JSON.stringify(this.config);
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.chat.close();
    this.store.destroy();
  }
}
