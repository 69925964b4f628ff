/**
 * The engine for other people's scripts and pages: a device, a sandbox, and trainers on them. Node and pages open it
 * differently (`cli/library.ts`, `library/page.ts`); everything else is the same.
 */
import type { Sandbox } from '../agent/sandbox';
import type { Device } from '../device/device';
import type { RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { saveCheckpoint } from '../rl/checkpoint';
import { Trainer, type TrainerHooks } from '../rl/trainer';

export type { Device, RunConfig, Sandbox, Trainer, TrainerHooks };
export { parseConfig } from '../config/config';
export { presetByName, presets } from '../config/presets';
export { openRunLink, runLink } from '../config/run-link';
export { restoreCheckpoint } from '../rl/checkpoint';
export { iterations, warmUp } from '../rl/run';

/** What an engine takes from its surroundings. */
export interface EngineParts {
  readonly device: Device;
  readonly openSandbox: () => Promise<Sandbox>;
  /** Bytes of a preset's recorded warm start. */
  readonly readRecordedStart: TrainerHooks['readRecordedStart'];
}

export class Engine {
  constructor(private readonly parts: EngineParts) {}

  get device(): Device {
    return this.parts.device;
  }

  /**
   * A run of this config, ready for `iterations`: its environment is loaded, its weights are drawn.
   * Rejects with a sentence if the environment cannot be used or the run does not fit on the device.
   * @param hooks see `TrainerHooks`; those left out do nothing
   */
  async trainer(config: RunConfig, hooks: Partial<TrainerHooks> = {}): Promise<Trainer> {
    const { device, openSandbox, readRecordedStart } = this.parts;
    const all = { ...quietHooks, readRecordedStart, ...hooks };
    return Trainer.create(device, await openSandbox(), config, environmentSource(config), all);
  }

  /**
   * The run as a safetensors file, which the command `eval` and `restoreCheckpoint` read.
   * @throws NotFinite if a number in it is NaN or infinite
   */
  save(trainer: Trainer): Promise<Uint8Array<ArrayBuffer>> {
    return saveCheckpoint(this.parts.device, trainer, environmentSource(trainer.setup.config));
  }

  /** Frees the device's memory; its trainers cannot be used afterwards. */
  close(): void {
    this.parts.device.destroy();
  }
}

/** Never pauses and reports nothing. */
export const quietHooks: Omit<TrainerHooks, 'readRecordedStart'> = {
  beforeSubmit: async () => undefined,
  onProgress: () => undefined,
  onWarmLoss: () => undefined,
  onTurn: () => undefined,
};
