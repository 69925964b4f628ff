/**
 * The one place that opens a WebGPU device: features, limits, errors, loss, pipelines and counters.
 * Knows nothing of tensors' meaning, of transformers, or of what thread it lives on: the caller passes `GPU` in.
 */
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

/** Why the device went away. `destroyed` is our own doing and needs no action. */
export type LossListener = (reason: 'destroyed' | 'unknown', message: string) => void;

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

/** What the GPU was asked to do since the counters were last reset. */
export interface Counters {
  dispatches: number;
  passes: number;
  submits: number;
  bindGroups: number;
  buffers: number;
}

const optionalFeatures: GPUFeatureName[] = ['timestamp-query'];
const raisedLimits = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

export class Device {
  readonly counters: Counters = { dispatches: 0, passes: 0, submits: 0, bindGroups: 0, buffers: 0 };
  /** Set by an uncaptured validation or memory error: results from then on cannot be trusted. */
  taint: string | null = null;
  lost = false;
  private readonly kernels = new Map<string, Kernel>();
  private readonly compiling: Promise<void>[] = [];
  private readonly lossListeners = new Set<LossListener>();
  private compiledCount = 0;

  private constructor(
    readonly handle: GPUDevice,
    readonly adapter: AdapterReport,
  ) {
    handle.onuncapturederror = (event) => {
      this.taint ??= event.error.message;
    };
    void handle.lost.then((info) => {
      this.lost = true;
      for (const listener of this.lossListeners) listener(info.reason === 'destroyed' ? 'destroyed' : 'unknown', info.message);
    });
  }

  /** Opens the fastest adapter. Throws a sentence when there is none. */
  static async open(gpu: GPU): Promise<Device> {
    const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter)
      throw new Error('WebGPU is present, but no graphics adapter answered. Update the graphics driver or try another browser.');
    const requiredFeatures = optionalFeatures.filter((feature) => adapter.features.has(feature));
    const requiredLimits = Object.fromEntries(raisedLimits.map((name) => [name, adapter.limits[name]]));
    const handle = await adapter.requestDevice({ requiredFeatures, requiredLimits });
    return new Device(handle, { name: adapterName(adapter.info), software: isSoftwareAdapter(adapter.info), features: requiredFeatures });
  }

  get limits(): GPUSupportedLimits {
    return this.handle.limits;
  }

  onLoss(listener: LossListener): () => void {
    this.lossListeners.add(listener);
    return () => this.lossListeners.delete(listener);
  }

  /**
   * The kernel `entry` of `shaders/<shader>.wgsl` with `const` lines put before it. Compiles in the background;
   * `bindings` names the variables a dispatch will bind.
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
      assert(binding, () => `${label}: no binding is called ${name}; the file declares ${[...declared.keys()].join(', ')}.`);
      used.set(name, binding);
    }
    const layout = this.handle.createBindGroupLayout({
      label,
      entries: [...used.values()].map(({ index, type }) => ({ binding: index, visibility: GPUShaderStageCompute, buffer: { type } })),
    });
    const kernel: Kernel = { label, bindings: used, layout, pipeline: null };
    this.kernels.set(key, kernel);
    const compiling = this.compile(kernel, code, entry, layout);
    // A kernel that failed is asked for anew the next time; whoever waits in `compiled` hears of it.
    compiling.catch(() => this.kernels.delete(key));
    this.compiling.push(compiling);
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
      const details = messages.map((m) => `  line ${m.lineNum}: ${m.message}\n    ${lines[m.lineNum - 1] ?? ''}`).join('\n');
      throw new Error(`Kernel ${kernel.label} does not compile: ${(error as Error).message}\n${details}`, { cause: error });
    }
    this.compiledCount++;
  }

  /** Waits for all kernels asked for so far; reports (done, total). */
  async compiled(onProgress?: (done: number, total: number) => void): Promise<void> {
    const total = this.kernels.size;
    let reported = -1;
    const report = () => {
      if (this.compiledCount !== reported) onProgress?.((reported = this.compiledCount), total);
    };
    report();
    await Promise.all(this.compiling.splice(0).map((promise) => promise.then(report)));
  }

  /** A zero-filled buffer; `usage` is added to storage and copy usages. Memory errors become a sentence in `taint`. */
  buffer(label: string, sizeBytes: number, usage: GPUBufferUsageFlags = 0): GPUBuffer {
    assert(sizeBytes > 0, `buffer ${label} has no bytes`);
    this.counters.buffers++;
    const size = Math.ceil(sizeBytes / 16) * 16;
    const limit = Math.min(this.limits.maxBufferSize, this.limits.maxStorageBufferBindingSize);
    if (size > limit) {
      throw new Error(
        `${label} needs ${(size / 1e6).toFixed(0)} MB in one buffer; this device allows ${(limit / 1e6).toFixed(0)} MB. Choose a smaller batch or model.`,
      );
    }
    return this.handle.createBuffer({ label, size, usage: usage | GPUBufferUsageStorage | GPUBufferUsageCopy });
  }

  /**
   * Runs `work` under error scopes: a validation error or a lack of memory in what it creates or submits becomes an Error
   * with a sentence, instead of a taint that nobody can place.
   */
  async guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    this.handle.pushErrorScope('validation');
    this.handle.pushErrorScope('out-of-memory');
    try {
      return await work();
    } finally {
      const [memory, validation] = [await this.handle.popErrorScope(), await this.handle.popErrorScope()];
      // eslint-disable-next-line no-unsafe-finally -- a GPU error is the cause of whatever else went wrong
      if (memory) throw new Error(`There is not enough graphics memory for ${what}: choose a smaller model, group or number of tasks.`);
      // eslint-disable-next-line no-unsafe-finally -- as above
      if (validation) throw new Error(`The GPU refused ${what}: ${validation.message}`);
    }
  }

  /** Resolves when everything submitted so far is done. */
  async idle(): Promise<void> {
    await this.handle.queue.onSubmittedWorkDone();
  }

  resetCounters(): void {
    for (const name of Object.keys(this.counters) as (keyof Counters)[]) this.counters[name] = 0;
  }

  destroy(): void {
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
