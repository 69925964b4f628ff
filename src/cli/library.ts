/** `agentlet/engine` for Node. Environments run in this process, metered. */
import type { DeviceChoice } from '../device/choice';
import { Engine } from '../library/engine';
import { openDevice, openSandbox } from './engine';
import { readRecordedStart } from './recorded-start';

export * from '../library/engine';

export interface EngineOptions {
  /** `auto` by default: a GPU if there is a real one, else the CPU, whose bits are the same everywhere. */
  readonly device?: DeviceChoice;
}

/** Rejects with a sentence if the device cannot be opened. */
export async function openEngine({ device = 'auto' }: EngineOptions = {}): Promise<Engine> {
  return new Engine({ device: await openDevice(device), openSandbox, readRecordedStart });
}
