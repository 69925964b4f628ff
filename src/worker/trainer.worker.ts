/**
 * The trainer worker: owns the GPU device, the sandbox workers and at most one run. Every method of `TrainerApi` is here;
 * what a run does is in run.ts. Exposed first, so that no message is lost; methods await what they need.
 */
import { expose } from 'comlink';
import { builtInEnvironments } from '../environments/built-in';
import type { Device } from '../gpu/device';
import { assert } from '../lib/assert';
import { parseConfig, type RunConfig } from '../rl/config';
import { configFields } from '../rl/config-fields';
import { environmentSource } from '../rl/environment-source';
import { planRun, type RunPlan } from '../rl/plan';
import { modelPresets, presets } from '../rl/presets';
import { engineVersion, openRunLink, runLink, type OpenedLink } from '../rl/run-link';
import type { WorkerPool } from '../sandbox/worker-pool';
import type { Catalog, ChatEvent, DeviceReport, RunEvent, SandboxFrame, TrainerApi } from './protocol';
import { Descriptions } from './descriptions';
import { openDevice } from './open-device';
import { openSandbox, workersForRun } from './open-sandbox';
import { Run } from './run';

class Engine implements TrainerApi {
  private readonly listeners = new Set<(event: RunEvent) => void>();
  private readonly descriptions = new Descriptions(() => this.openSandbox(1));
  private frame: SandboxFrame | null = null;
  private opening: Promise<Device> | null = null;
  private pool: Promise<WorkerPool> | null = null;
  private run: Run | null = null;
  /** Settles when the last order to begin a run was carried out or failed: Pause and Reset that follow it must find its run. */
  private beginning: Promise<void> = Promise.resolve();

  async connect(frame: SandboxFrame): Promise<void> {
    this.frame = frame;
  }

  async catalog(): Promise<Catalog> {
    const infos = presets.map(async ({ name, title, config }) => {
      const source = environmentSource(config);
      return { name, title, config, source, environment: await this.descriptions.of(source) };
    });
    return { engineVersion, modelPresets, fields: configFields(), presets: await Promise.all(infos) };
  }

  async device(): Promise<DeviceReport> {
    try {
      const { adapter } = await this.open();
      return { ok: true, adapter: adapter.name, software: adapter.software, features: adapter.features };
    } catch (error) {
      return { ok: false, reason: (error as Error).message };
    }
  }

  async plan(config: RunConfig): Promise<RunPlan> {
    const source = config.environment.source === undefined ? builtInEnvironments[config.environment.name] : undefined;
    const environment = source === undefined ? null : await this.descriptions.of(source);
    const device = await this.opening?.catch(() => null);
    return planRun(config, environment, device ? device.limits.maxStorageBufferBindingSize : Infinity);
  }

  async subscribe(listener: (event: RunEvent) => void): Promise<void> {
    this.listeners.add(listener);
  }

  async train(config: RunConfig, author: OpenedLink | null): Promise<void> {
    await this.begin(config, author, Infinity);
  }

  async pause(): Promise<void> {
    await this.beginning;
    await this.run?.pause();
  }

  async resume(): Promise<void> {
    await this.beginning;
    if (this.run?.gate.isClosed) this.run.resume(Infinity);
  }

  async step(config: RunConfig, author: OpenedLink | null): Promise<void> {
    await this.beginning;
    if (this.run?.gate.isClosed) this.run.resume(1);
    else if (!this.run || this.run.gate.hasEnded) await this.begin(config, author, 1);
  }

  async reset(): Promise<void> {
    await this.beginning;
    await this.run?.drop();
    this.run = null;
    this.emit({ type: 'state', state: 'idle' });
  }

  async chat(message: string, listener: (event: ChatEvent) => void): Promise<void> {
    if (!this.run) throw new Error('There is no agent to talk to yet: press Train first.');
    await this.run.chat(message, listener);
  }

  async link(config: RunConfig): Promise<string> {
    const same = this.run !== null && JSON.stringify(this.run.config) === JSON.stringify(config);
    return runLink(config, same && this.run!.curve.length > 0 ? this.run!.soFar : null);
  }

  async openLink(hash: string): Promise<OpenedLink> {
    return openRunLink(hash);
  }

  async checkpoint(): Promise<Uint8Array> {
    if (!this.run) throw new Error('There is nothing to save yet: press Train first.');
    return this.run.checkpoint();
  }

  private begin(config: RunConfig, author: OpenedLink | null, iterations: number): Promise<void> {
    const begun = this.beginning.then(() => this.replaceRun(config, author, iterations));
    this.beginning = begun.catch(() => undefined);
    return begun;
  }

  private async replaceRun(config: RunConfig, author: OpenedLink | null, iterations: number): Promise<void> {
    const valid = parseConfig(config);
    await this.run?.drop();
    this.run = null;
    const [device, pool] = await Promise.all([this.soundDevice(), this.sandboxes()]);
    const plan = await this.plan(valid);
    if (plan.problems.length > 0) throw new Error(plan.problems.join(' '));
    this.run = new Run(device, pool, valid, author, (event) => this.emit(event));
    this.run.start(iterations);
  }

  /** The device, or a new one if an error made it useless. */
  private async soundDevice(): Promise<Device> {
    const device = await this.open();
    if (device.taint === null) return device;
    device.destroy();
    this.opening = null;
    return this.open();
  }

  private open(): Promise<Device> {
    this.opening ??= this.watchedDevice().catch((error: unknown) => {
      this.opening = null;
      throw error;
    });
    return this.opening;
  }

  private async watchedDevice(): Promise<Device> {
    const device = await openDevice();
    device.onLoss((reason) => {
      this.opening = null;
      if (reason === 'destroyed') return;
      this.emit({
        type: 'state',
        state: 'failed',
        message: 'The graphics device was lost. Press Reset, then Train: the same seed gives the same run.',
      });
    });
    return device;
  }

  private sandboxes(): Promise<WorkerPool> {
    this.pool ??= this.openSandbox(workersForRun()).catch((error: unknown) => {
      this.pool = null;
      throw error;
    });
    return this.pool;
  }

  private openSandbox(workers: number): Promise<WorkerPool> {
    assert(this.frame !== null, 'an environment was to be run before TrainerApi.connect');
    return openSandbox(this.frame, workers);
  }

  private emit(event: RunEvent): void {
    for (const listener of this.listeners) listener(event);
  }
}

expose(new Engine());
