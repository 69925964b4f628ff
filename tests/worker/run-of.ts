/**
 * Drives a run as the trainer worker does, on the real device and in a real sandbox, and writes down what it tells the
 * page.
 */
import { readRecordedStart } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';
import type { RunConfig } from '../../src/config/config';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import type { RunEvent } from '../../src/run/events';
import type { SavedRun } from '../../src/run/store/saved-run';
import { timeless } from '../helpers/timeless';
import { Run } from '../../src/run/run';
import type { RunSpec, RunParts } from '../../src/run/run-parts';
import type { RunSnapshot } from '../../src/run/store/run-snapshot';
import { testGpu } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';

/** Over in a second. */
export const tiny = tinyRun(6, 12);

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export class Watched {
  readonly events: RunEvent[] = [];
  /** What the run gave to be stored. */
  readonly stored: { run: SavedRun; state: RunSnapshot }[] = [];
  readonly run: Run;
  device: WebGpuDevice | null = null;
  devicesOpened = 0;
  private hearing: ((event: RunEvent) => void)[] = [];

  constructor(config: RunConfig = tiny, options: { spec?: Partial<RunSpec>; parts?: Partial<RunParts> } = {}) {
    const parts: RunParts = {
      deviceFor: async () => 'gpu',
      openDevice: () => this.openDevice(),
      openSandbox: async () => new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource }),
      readRecordedStart,
      saved: { save: async (run, state) => void this.stored.push({ run, state }) },
      checkpoints: null,
      tabLock: { acquire: async () => true, release: () => undefined },
      emit: (event) => this.hear(event),
      ...options.parts,
    };
    this.run = new Run(parts, { id: 'test', config, author: null, snapshot: null, ...options.spec });
  }

  /** The device that is open, if it is sound; else a new one. */
  async openDevice(): Promise<WebGpuDevice> {
    if (this.device && !this.device.lost) return this.device;
    this.devicesOpened++;
    this.device = await WebGpuDevice.open((await testGpu()).gpu);
    this.watchBuffers(this.device.handle);
    return this.device;
  }

  /** Buffers that were made and not destroyed, by label. */
  readonly buffers = new Map<string, GPUBuffer[]>();

  get bufferCount(): number {
    return [...this.buffers.values()].reduce((sum, each) => sum + each.length, 0);
  }

  /** Writes a number to the start of the newest buffer of this label, as faulty memory would. */
  poison(label: string, value: number): void {
    this.device!.handle.queue.writeBuffer(this.buffers.get(label)!.at(-1)!, 0, Float32Array.of(value));
  }

  private watchBuffers(handle: GPUDevice): void {
    const create = handle.createBuffer.bind(handle);
    handle.createBuffer = (descriptor) => {
      const buffer = create(descriptor);
      const list = this.buffers.get(descriptor.label!) ?? [];
      this.buffers.set(descriptor.label!, list);
      list.push(buffer);
      const destroy = buffer.destroy.bind(buffer);
      buffer.destroy = () => {
        if (list.includes(buffer)) list.splice(list.indexOf(buffer), 1);
        destroy();
      };
      return buffer;
    };
  }

  /** Calls `then` on every event from now on. */
  onEvent(then: (event: RunEvent) => void): void {
    this.hearing.push(then);
  }

  /** Resolves with the first event to come that the test accepts. */
  async until<T extends RunEvent['type']>(
    type: T,
    test: (event: EventOf<T>) => boolean = () => true,
  ): Promise<EventOf<T>> {
    return new Promise((resolve) =>
      this.onEvent((event) => event.type === type && test(event as EventOf<T>) && resolve(event as EventOf<T>)),
    );
  }

  /** Runs to the end. @returns the last state event */
  async finish(iterations = Infinity): Promise<EventOf<'state'>> {
    const ended = this.until('state', ({ state }) => state === 'finished' || state === 'failed');
    this.run.start(iterations);
    return ended;
  }

  of<T extends RunEvent['type']>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event.type === type);
  }

  /** Kinds of the notices, in order. */
  get notices(): string[] {
    return this.of('notice').map(({ notice }) => notice.kind);
  }

  /** What the page shows at the end: the newest report of each iteration, without what is measured in time. */
  get curve(): object[] {
    const reports = new Map(this.of('iteration').map(({ metrics }) => [metrics.iteration, timeless(metrics)]));
    return [...reports.values()];
  }

  get fingerprint(): readonly string[] {
    return this.of('iteration').at(-1)?.fingerprint ?? [];
  }

  async close(): Promise<void> {
    await this.run.drop();
    this.device?.destroy();
  }

  private hear(event: RunEvent): void {
    this.events.push(event);
    for (const hear of this.hearing) hear(event);
  }
}
