/**
 * One device with its trainer, chat, readers of tokens and of attention, and earlier agents. After a fault the run
 * closes its session and opens another.
 */
import type { Sandbox } from '../agent/sandbox';
import { DeviceLost, OutOfDeviceMemory, type Device } from '../device/device';
import { readCheckpointHead } from '../rl/checkpoint';
import type { RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { Trainer, type TrainerHooks } from '../rl/trainer';
import { AttentionSession } from './attention-session';
import { ChatSession } from './chat-session';
import type { Gate } from './gate';
import { PastSession } from './past-session';
import { TokenSession } from './token-session';

export class Session {
  readonly chat: ChatSession;
  readonly tokens: TokenSession;
  readonly attention: AttentionSession;
  readonly past: PastSession;
  /** The device outlives the session and must not hold on to it. */
  private readonly stopWatching: () => void;

  private constructor(
    readonly device: Device,
    readonly trainer: Trainer,
    /** Source of the environment when the run began. */
    readonly source: string,
    gate: Gate,
  ) {
    this.chat = new ChatSession(device, trainer, gate.check);
    this.tokens = new TokenSession(device, trainer);
    this.attention = new AttentionSession(device, trainer);
    this.past = new PastSession(device, trainer, gate.check);
    this.stopWatching = device.onLoss(() => gate.interrupt(new DeviceLost()));
  }

  /**
   * Builds the trainer of a run; from now on a lost device interrupts the gate.
   * @param checkpoint what the run continues from: its source of a built-in environment counts
   */
  static async open(
    device: Device,
    openSandbox: () => Promise<Sandbox>,
    config: RunConfig,
    checkpoint: Uint8Array | null,
    hooks: TrainerHooks,
    gate: Gate,
  ): Promise<Session> {
    const saved = checkpoint ? readCheckpointHead(checkpoint).source : environmentSource(config);
    const source = config.environment.source ?? saved;
    gate.clearInterrupt();
    const trainer = await Trainer.create(device, await openSandbox(), config, source, hooks).catch(
      async (error: unknown) => {
        const cause = await device.causeOf(error);
        if (cause instanceof OutOfDeviceMemory) device.giveBackMemory();
        throw cause;
      },
    );
    return new Session(device, trainer, source, gate);
  }

  async close(): Promise<void> {
    this.stopWatching();
    await this.chat.close();
    await this.tokens.close();
    await this.attention.close();
    await this.past.close();
    this.trainer.destroy();
  }
}
