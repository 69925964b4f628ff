/** Opens a WebGPU device and owns its features, limits, errors and pipelines. The caller passes in `GPU`. */
import { assert } from '../../lib/assert';
import {
  Device,
  DeviceLost,
  OutOfDeviceMemory,
  timesByKernel,
  type AdapterFacts,
  type BufferRange,
  type Constants,
  type DeviceBuffer,
  type Dispatch,
  type KernelTime,
} from '../device';
import { adapterName, isSoftwareAdapter } from './adapter';
import { bufferOf, flags, GpuEncoder, GpuStaging, type GpuDispatch, type Kernel } from './encoder';
import { timesOf } from './profiler';
import { expandShader } from './wgsl';

const nothing = () => undefined;
const optionalFeatures: GPUFeatureName[] = ['timestamp-query', 'subgroups'];
/** A loss is reported at most this long after the failures that it causes. */
const lossDelayMs = 100;
const raisedLimits = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

export class WebGpuDevice extends Device {
  /** Set by `destroy`: the loss that follows is not a fault. */
  private destroyed = false;
  /** Buffers created by the current `guarded` work. */
  private born: GPUBuffer[] | null = null;
  /** Error scopes form one stack per device, so guarded work runs one at a time. */
  private guarding: Promise<void> = Promise.resolve();
  private readonly kernels = new Map<string, Kernel>();
  /** Compilations in progress, and failed ones that `compiled` has not reported. */
  private readonly compiling = new Set<Promise<void>>();
  private readonly lossListeners = new Set<() => void>();

  private constructor(
    readonly handle: GPUDevice,
    facts: Omit<AdapterFacts, 'maxTensorBytes' | 'maxTotalBytes'>,
  ) {
    const { maxBufferSize, maxStorageBufferBindingSize } = handle.limits;
    super({
      ...facts,
      maxTensorBytes: Math.min(maxBufferSize, maxStorageBufferBindingSize),
      maxTotalBytes: Infinity,
    });
    handle.onuncapturederror = (event) => {
      this.uncapturedError ??= event.error.message;
    };
    void handle.lost.then(() => {
      this.lost = true;
      if (!this.destroyed) for (const listener of this.lossListeners) listener();
    });
  }

  /** Opens the fastest adapter. Throws a sentence when there is none. */
  static async open(gpu: GPU): Promise<WebGpuDevice> {
    const adapter = await fastestAdapter(gpu);
    const requiredFeatures = optionalFeatures.filter((feature) => adapter.features.has(feature));
    const requiredLimits = Object.fromEntries(raisedLimits.map((name) => [name, adapter.limits[name]]));
    const handle = await adapter.requestDevice({ requiredFeatures, requiredLimits });
    return new WebGpuDevice(handle, {
      kind: 'gpu',
      immediate: false,
      name: adapterName(adapter.info),
      software: isSoftwareAdapter(adapter.info),
      features: requiredFeatures,
      subgroupSize: requiredFeatures.includes('subgroups') ? fixedSubgroupSize(adapter.info) : undefined,
    });
  }

  /** @param listener is called unless `destroy` caused the loss @returns a function that removes it */
  onLoss(listener: () => void): () => void {
    this.lossListeners.add(listener);
    return () => this.lossListeners.delete(listener);
  }

  /** The cause of failed work: `DeviceLost` if the device is gone, which the browser may report a little later. */
  async causeOf(error: unknown): Promise<unknown> {
    if (!this.lost) await Promise.race([this.handle.lost, new Promise((resolve) => setTimeout(resolve, lossDelayMs))]);
    return this.lost ? new DeviceLost() : error;
  }

  /** @param tensors by the names of the WGSL variables */
  bind(
    shader: string,
    entry: string,
    constants: Constants,
    tensors: Readonly<Record<string, BufferRange>>,
    grid: Dispatch['grid'],
  ): GpuDispatch {
    this.counters.bindGroups++;
    const kernel = this.kernel(shader, entry, constants, Object.keys(tensors));
    const { label, layout } = kernel;
    const entries = [...kernel.bindings].map(([name, binding]) => {
      const tensor = tensors[name];
      return { binding, resource: { buffer: bufferOf(tensor), offset: tensor.offsetBytes, size: tensor.sizeBytes } };
    });
    return { label, kernel, bindGroup: this.handle.createBindGroup({ label, layout, entries }), grid };
  }

  /**
   * The kernel `entry` of `shaders/<shader>.wgsl` with these constants. Compiles in the background: see `compiled`.
   * @param bindings names of the WGSL variables that a dispatch will bind
   */
  private kernel(shader: string, entry: string, constants: Constants, bindings: readonly string[]): Kernel {
    const code = expandShader(shader, constants);
    const key = `${entry}\n${bindings.join()}\n${code}`;
    const known = this.kernels.get(key);
    if (known) return known;
    const label = `${shader}.${entry}`;
    const declared = declaredBindings(code);
    const entries = bindings.map((name) => {
      const found = declared.get(name);
      assert(
        found,
        () => `${label}: no binding is called ${name}; the file declares ${[...declared.keys()].join(', ')}.`,
      );
      return found;
    });
    const layout = this.handle.createBindGroupLayout({ label, entries });
    const numbers = new Map(bindings.map((name, i) => [name, entries[i].binding]));
    const kernel: Kernel = { label, bindings: numbers, layout, pipeline: null };
    this.kernels.set(key, kernel);
    const compiling = this.compile(kernel, code, entry);
    this.compiling.add(compiling);
    // A failed kernel is compiled again when it is next requested; `compiled` reports the failure.
    compiling.then(
      () => this.compiling.delete(compiling),
      () => this.kernels.delete(key),
    );
    return kernel;
  }

  private async compile(kernel: Kernel, code: string, entryPoint: string): Promise<void> {
    const { label, layout } = kernel;
    const module = this.handle.createShaderModule({ label, code });
    try {
      kernel.pipeline = await this.handle.createComputePipelineAsync({
        label,
        layout: this.handle.createPipelineLayout({ bindGroupLayouts: [layout] }),
        compute: { module, entryPoint },
      });
    } catch (error) {
      if (this.lost) throw error;
      const { messages } = await module.getCompilationInfo();
      const lines = code.split('\n');
      const details = messages.map((m) => `  line ${m.lineNum}: ${m.message}\n    ${lines[m.lineNum - 1] ?? ''}`);
      const sentence = `Kernel ${label} does not compile: ${(error as Error).message}`;
      throw new Error([sentence, ...details].join('\n'), { cause: error });
    }
  }

  /** Waits for all kernels requested so far. @param onProgress is given (done, total) */
  async compiled(onProgress?: (done: number, total: number) => void): Promise<void> {
    const compiling = [...this.compiling];
    const total = this.kernels.size;
    let done = total - compiling.length;
    onProgress?.(done, total);
    const each = async (promise: Promise<void>) => {
      await promise.finally(() => this.compiling.delete(promise));
      onProgress?.(++done, total);
    };
    await Promise.all(compiling.map(each));
  }

  /** A memory error is reported as `uncapturedError`. */
  buffer(label: string, sizeBytes: number, use?: 'uniform'): GPUBuffer {
    assert(sizeBytes > 0, `buffer ${label} has no bytes`);
    const size = Math.ceil(sizeBytes / 16) * 16;
    const limit = this.adapter.maxTensorBytes;
    if (size > limit) {
      throw new OutOfDeviceMemory(
        `${label} needs ${(size / 1e6).toFixed(0)} MB in one buffer; this device allows ` +
          `${(limit / 1e6).toFixed(0)} MB. Choose a smaller batch or model.`,
      );
    }
    const usage = flags.storage | flags.copySource | flags.copyTarget;
    return this.rawBuffer(label, size, use ? usage | flags[use] : usage);
  }

  write(buffer: DeviceBuffer, offsetBytes: number, data: Float32Array | Uint32Array): void {
    this.handle.queue.writeBuffer(buffer as GPUBuffer, offsetBytes, data as GPUAllowSharedBufferSource);
  }

  encoder(): GpuEncoder {
    return new GpuEncoder(this.handle);
  }

  staging(label: string, sizeBytes: number): GpuStaging {
    return new GpuStaging(this.rawBuffer(label, sizeBytes, flags.mapRead | flags.copyTarget), this);
  }

  /** A zero-filled buffer with exactly this usage. */
  private rawBuffer(label: string, size: number, usage: GPUBufferUsageFlags): GPUBuffer {
    this.counters.buffers++;
    const buffer = this.handle.createBuffer({ label, size, usage });
    this.born?.push(buffer);
    return buffer;
  }

  /**
   * Runs `work` under error scopes: a GPU error in it is thrown as a sentence, and its buffers are freed. Do not nest.
   * @throws OutOfDeviceMemory, DeviceLost, or what `work` throws
   */
  guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    const guarded = this.guarding.then(() => this.underScopes(what, work));
    // Resolves to undefined: the device must not hold on to the result until the next work.
    this.guarding = guarded.then(nothing, nothing);
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
        throw new OutOfDeviceMemory(
          `There is not enough graphics memory for ${what}: halve the batch, or choose a smaller model.`,
        );
      // The GPU error explains any other one. Another command may have caused it, so it taints the device.
      this.uncapturedError ??= validation?.message ?? null;
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

  async idle(): Promise<void> {
    await this.handle.queue.onSubmittedWorkDone();
    // The queue of a lost device reports its work as done, too.
    if (this.lost) throw new DeviceLost();
  }

  get canProfile(): boolean {
    return this.adapter.features.includes('timestamp-query');
  }

  async profile(dispatches: readonly Dispatch[]): Promise<KernelTime[]> {
    assert(this.canProfile, 'profiling needs the feature timestamp-query');
    return timesByKernel(dispatches, await timesOf(this.handle, dispatches));
  }

  destroy(): void {
    this.destroyed = true;
    this.handle.destroy();
  }
}

/** Name and kind of the adapter that `open` would take. Throws a sentence when there is none. */
export async function findAdapter(gpu: GPU): Promise<Pick<AdapterFacts, 'name' | 'software'>> {
  const { info } = await fastestAdapter(gpu);
  return { name: adapterName(info), software: isSoftwareAdapter(info) };
}

async function fastestAdapter(gpu: GPU): Promise<GPUAdapter> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter) return adapter;
  throw new Error(
    'WebGPU is present, but no graphics adapter answered. Update the graphics driver or try another browser.',
  );
}

function fixedSubgroupSize({ subgroupMinSize, subgroupMaxSize }: GPUAdapterInfo): number | undefined {
  return subgroupMinSize === subgroupMaxSize ? subgroupMinSize : undefined;
}

const bindingPattern = /@group\(0\)\s*@binding\((\d+)\)\s*var<([^>]+)>\s*(\w+)/g;

/** Entries of a bind group layout by the names of the WGSL variables. */
function declaredBindings(code: string): Map<string, GPUBindGroupLayoutEntry> {
  const typeOf = (space: string) =>
    space.includes('uniform') ? 'uniform' : space.includes('read_write') ? 'storage' : 'read-only-storage';
  return new Map(
    [...code.matchAll(bindingPattern)].map(([, binding, space, name]) => [
      name,
      { binding: Number(binding), visibility: flags.compute, buffer: { type: typeOf(space) } },
    ]),
  );
}
