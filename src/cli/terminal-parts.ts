/** What a run in a terminal uses of its surroundings, whatever its command makes of it. */
import type { OpenedModel } from '../config/open-model';
import type { DeviceKind } from '../device/choice';
import type { Device } from '../device/device';
import type { RunEvent } from '../run/events';
import type { RunParts } from '../run/run-parts';
import { noLock } from '../run/tab-lock';
import { openDevice, openSandbox } from './engine';
import { readRecordedStart } from './recorded-start';
import type { HostTools } from './host-tools/tools';
import { modelHooks } from './model-folder';

/** The device of a run: another of its kind once it was lost or has failed, so that the bits stay the same. */
export class TerminalDevice {
  constructor(private device: Device) {}

  get current(): Device {
    return this.device;
  }

  async healthy(kind: DeviceKind): Promise<Device> {
    const { device } = this;
    if (device.lost || device.uncapturedError !== null) {
      this.device = await openDevice(kind);
      device.destroy();
    }
    return this.device;
  }
}

type TerminalParts = Pick<
  RunParts,
  'deviceFor' | 'openDevice' | 'openSandbox' | 'readRecordedStart' | 'openModel' | 'checkpoints' | 'tabLock'
>;

/**
 * @param host tools that it gives to environments
 * @param model the pretrained one of which an adapter is trained
 */
export const terminalParts = (
  device: TerminalDevice,
  host: HostTools | null = null,
  model: OpenedModel | null = null,
): TerminalParts => ({
  deviceFor: async () => device.current.adapter.kind,
  openDevice: (kind) => device.healthy(kind),
  openSandbox: () => openSandbox(host),
  readRecordedStart,
  ...modelHooks(model),
  checkpoints: null,
  tabLock: noLock,
});

/**
 * The sentence of a fault that the run has recovered from; null for other events. Skipped updates are in its metrics,
 * and a file that cannot be written ends it.
 */
export function recoveryOf(event: RunEvent): string | null {
  if (event.type !== 'notice') return null;
  const { kind, sentence } = event.notice;
  return kind === 'device-lost' || kind === 'rolled-back' ? sentence : null;
}
