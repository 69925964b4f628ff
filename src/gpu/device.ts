/** Opens a WebGPU device and owns its features, limits, errors, pipelines and counters. The caller passes in `GPU`. */
import { assert } from '../lib/assert';
import { adapterName, isSoftwareAdapter } from './adapter';
import { expandShader, type Constants } from './wgsl';

export interface AdapterReport {
  /** See `adapterName`. */
  readonly name: string;
  /** See `isSoftwareAdapter`. */
  readonly software: boolean;
  readonly features: readonly string[];
}

/** Called with the browser's reason for a loss, unless `destroy` caused it. */
export type LossListener = (message: string) => void;

/** The device is gone with everything created on it; whether its last submissions ran is unknown. */
export class DeviceLost extends Error {
  constructor() {
    super('The graphics device was lost.');
  }
}

/** An allocation failed; everything that belonged to it was freed. */
export class OutOfGpuMemory extends Error {}

/** A compiled entry point. Two requests with equal text share one. */
export interface Kernel {
  readonly label: string;
  /** WGSL variable name → binding number and access. */
  readonly bindings: ReadonlyMap<string, KernelBinding>;
  readonly layout: GPUBindGroupLayout;
  /** Set once `Device.compiled()` has resolved. */
  pipeline: GPUComputePipeline | null;
}

export interface KernelBinding {
  readonly index: number;
  readonly type: GPUBufferBindingType;
}

/** GPU work since the counters were last reset. */
export interface Counters {
  dispatches: number;
  passes: number;
  submits: number;
  bindGroups: number;
  buffers: number;
}

const optionalFeatures: GPUFeatureName[] = ['timestamp-query'];
/** A loss is reported at most this long after the failures that it causes. */
const lossDelayMs = 100;
const raisedLimits = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

export class Device {
  readonly counters: Counters = { dispatches: 0, passes: 0, submits: 0, bindGroups: 0, buffers: 0 };
  /** Set by an uncaptured validation or memory error: results from then on cannot be trusted. */
  taint: string | null = null;
  lost = false;
  /** Set by `destroy`: the loss that follows is not a fault. */
  private destroyed = false;
  /** Buffers created by the current `guarded` work. */
  private born: GPUBuffer[] | null = null;
  /** Error scopes form one stack per device, so guarded work runs one at a time. */
  private guarding: Promise<void> = Promise.resolve();
  private readonly kernels = new Map<string, Kernel>();
  /** Compilations in progress, and failed ones that `compiled` has not reported. */
  private readonly compiling = new Set<Promise<void>>();
  private readonly lossListeners = new Set<LossListener>();
  private compiledCount = 0;

  protected constructor(
    readonly handle: GPUDevice,
    readonly adapter: AdapterReport,
  ) {
    handle.onuncapturederror = (event) => {
      this.taint ??= event.error.message;
    };
    void handle.lost.then((info) => {
      this.lost = true;
      if (!this.destroyed) for (const listener of this.lossListeners) listener(info.message);
    });
  }

  /** Opens the fastest adapter. Throws a sentence when there is none. */
  static async open(gpu: GPU): Promise<Device> {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter)
      throw new Error(
        'WebGPU is present, but no graphics adapter answered. Update the graphics driver or try another browser.',
      );
    const requiredFeatures = optionalFeatures.filter((feature) => adapter.features.has(feature));
    const requiredLimits = Object.fromEntries(raisedLimits.map((name) => [name, adapter.limits[name]]));
    const handle = await adapter.requestDevice({ requiredFeatures, requiredLimits });
    return new Device(handle, {
      name: adapterName(adapter.info),
      software: isSoftwareAdapter(adapter.info),
      features: requiredFeatures,
    });
  }

  get limits(): GPUSupportedLimits {
    return this.handle.limits;
  }

  /** @returns a function that removes the listener */
  onLoss(listener: LossListener): () => void {
    this.lossListeners.add(listener);
    return () => this.lossListeners.delete(listener);
  }

  /** The cause of failed work: `DeviceLost` if the device is gone, which the browser may report a little later. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!this.lost) await Promise.race([this.handle.lost, new Promise((resolve) => setTimeout(resolve, lossDelayMs))]);
    return this.lost ? new DeviceLost() : error;
  }

  /**
   * The kernel `entry` of `shaders/<shader>.wgsl` with these constants. Compiles in the background: see `compiled`.
   * @param bindings names of the WGSL variables that a dispatch will bind
   */
  kernel(shader: string, entry: string, constants: Constants, bindings: readonly string[]): Kernel {
    const code = expandShader(shader, constants);
    const key = `${entry}\n${bindings.join()}\n${code}`;
    const known = this.kernels.get(key);
    if (known) return known;
    const label = `${shader}.${entry}`;
    const declared = declaredBindings(code);
    const used = new Map<string, KernelBinding>();
    for (const name of bindings) {
      const binding = declared.get(name);
      assert(
        binding,
        () => `${label}: no binding is called ${name}; the file declares ${[...declared.keys()].join(', ')}.`,
      );
      used.set(name, binding);
    }
    const layout = this.handle.createBindGroupLayout({
      label,
      entries: [...used.values()].map(({ index, type }) => ({
        binding: index,
        visibility: GPUShaderStageCompute,
        buffer: { type },
      })),
    });
    const kernel: Kernel = { label, bindings: used, layout, pipeline: null };
    this.kernels.set(key, kernel);
    const compiling = this.compile(kernel, code, entry, layout);
    this.compiling.add(compiling);
    // A failed kernel is compiled again when it is next requested; `compiled` reports the failure.
    compiling.then(
      () => this.compiling.delete(compiling),
      () => this.kernels.delete(key),
    );
    return kernel;
  }

  private async compile(kernel: Kernel, code: string, entry: string, layout: GPUBindGroupLayout): Promise<void> {
    const module = this.handle.createShaderModule({ label: kernel.label, code });
    try {
      kernel.pipeline = await this.handle.createComputePipelineAsync({
        label: kernel.label,
        layout: this.handle.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint: entry },
      });
    } catch (error) {
      if (this.lost) throw error;
      const { messages } = await module.getCompilationInfo();
      const lines = code.split('\n');
      const details = messages
        .map((m) => `  line ${m.lineNum}: ${m.message}\n    ${lines[m.lineNum - 1] ?? ''}`)
        .join('\n');
      throw new Error(`Kernel ${kernel.label} does not compile: ${(error as Error).message}\n${details}`, {
        cause: error,
      });
    }
    this.compiledCount++;
  }

  /** Waits for all kernels requested so far. @param onProgress is given (done, total) */
  async compiled(onProgress?: (done: number, total: number) => void): Promise<void> {
    const total = this.kernels.size;
    let reported = -1;
    const report = () => {
      if (this.compiledCount !== reported) onProgress?.((reported = this.compiledCount), total);
    };
    report();
    const each = async (promise: Promise<void>) => {
      await promise.finally(() => this.compiling.delete(promise));
      report();
    };
    await Promise.all([...this.compiling].map(each));
  }

  /** A zero-filled buffer; `usage` is added to storage and copy. A memory error is reported as `taint`. */
  buffer(label: string, sizeBytes: number, usage: GPUBufferUsageFlags = 0): GPUBuffer {
    assert(sizeBytes > 0, `buffer ${label} has no bytes`);
    const size = Math.ceil(sizeBytes / 16) * 16;
    const limit = Math.min(this.limits.maxBufferSize, this.limits.maxStorageBufferBindingSize);
    if (size > limit) {
      throw new OutOfGpuMemory(
        `${label} needs ${(size / 1e6).toFixed(0)} MB in one buffer; this device allows ${(limit / 1e6).toFixed(0)} MB. Choose a smaller batch or model.`,
      );
    }
    return this.rawBuffer(label, size, usage | GPUBufferUsageStorage | GPUBufferUsageCopy);
  }

  /** A zero-filled buffer with exactly this usage. */
  rawBuffer(label: string, size: number, usage: GPUBufferUsageFlags): GPUBuffer {
    this.counters.buffers++;
    const buffer = this.handle.createBuffer({ label, size, usage });
    this.born?.push(buffer);
    return buffer;
  }

  /**
   * Runs `work` under error scopes: a GPU error in it is thrown as a sentence, and its buffers are freed. Do not nest.
   * @throws OutOfGpuMemory, DeviceLost, or what `work` throws
   */
  guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    const guarded = this.guarding.then(() => this.underScopes(what, work));
    // Resolves to undefined: the device must not hold on to the result until the next work.
    this.guarding = guarded.then(
      () => undefined,
      () => undefined,
    );
    return guarded;
  }

  private async underScopes<T>(what: string, work: () => Promise<T>): Promise<T> {
    const born: GPUBuffer[] = (this.born = []);
    this.handle.pushErrorScope('validation');
    this.handle.pushErrorScope('out-of-memory');
    try {
      const outcome = await work().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      // Pops both at once, because the scopes of a lost device may reject and none may stay open.
      const popped = Promise.all([this.handle.popErrorScope(), this.handle.popErrorScope()]);
      const [memory, validation] = await popped.catch(() => [null, null]);
      if (this.lost) throw new DeviceLost();
      if (memory || ('error' in outcome && outcome.error instanceof RangeError))
        throw new OutOfGpuMemory(
          `There is not enough graphics memory for ${what}: halve the batch, or choose a smaller model.`,
        );
      // The GPU error explains any other one. Another command may have caused it, so it taints the device.
      this.taint ??= validation?.message ?? null;
      if (validation) throw new Error(`The GPU refused ${what}: ${validation.message}`);
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    } catch (error) {
      for (const buffer of born) buffer.destroy();
      throw error;
    } finally {
      this.born = null;
    }
  }

  /** Resolves when everything submitted so far is done. @throws DeviceLost */
  async idle(): Promise<void> {
    await this.handle.queue.onSubmittedWorkDone();
    // The queue of a lost device reports its work as done, too.
    if (this.lost) throw new DeviceLost();
  }

  resetCounters(): void {
    for (const name of Object.keys(this.counters) as (keyof Counters)[]) this.counters[name] = 0;
  }

  destroy(): void {
    this.destroyed = true;
    this.handle.destroy();
  }
}

// The WebGPU flag namespaces are globals in browsers only; their values are fixed by the specification.
const GPUShaderStageCompute = 4;
const GPUBufferUsageCopy = 4 | 8;
const GPUBufferUsageStorage = 128;

const bindingPattern = /@group\(0\)\s*@binding\((\d+)\)\s*var<([^>]+)>\s*(\w+)/g;

function declaredBindings(code: string): Map<string, KernelBinding> {
  const declared = new Map<string, KernelBinding>();
  for (const [, index, space, name] of code.matchAll(bindingPattern)) {
    const type: GPUBufferBindingType = space.includes('uniform')
      ? 'uniform'
      : space.includes('read_write')
        ? 'storage'
        : 'read-only-storage';
    declared.set(name, { index: Number(index), type });
  }
  return declared;
}
