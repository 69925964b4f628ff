/**
 * The CPU as a device: WebAssembly with SIMD. Buffers are ranges of one memory, a dispatch is a call, and a submission
 * has run when `submit` returns. Every machine and every number of threads gives the same bits.
 */
import type { CpuKernel } from 'virtual:cpu-kernels';
import { assert } from '../../lib/assert';
import { Device, gridOf, OutOfDeviceMemory, timesByKernel } from '../device';
import type { BufferRange, Constants, DeviceBuffer, Dispatch, Encoder, KernelTime, Staging } from '../device';
import { loadKernels, scratchBytes, type KernelModule } from './kernels';
import { LinearMemory } from './linear-memory';
import { clearOperation, controlBytes, copyOperation, Walker, type ThreadStart } from './program.js';

/** For people and logs. Threads are not part of it, since they do not change a bit. */
export const cpuName = 'CPU (WebAssembly SIMD)';

/** How long messages may wait while submission follows submission. */
const maxBusyMs = 10;

/** Parts of a step at most, and bytes of its tensors that make one: less is not worth the taking. */
const maxParts = 32;
const partBytes = 4096;

interface CpuDispatch extends Dispatch {
  readonly kernel: number;
  readonly parts: number;
  readonly words: Int32Array;
}

class CpuBuffer implements Staging {
  private destroyed = false;

  constructor(
    readonly at: number,
    private readonly sizeBytes: number,
    private readonly device: WasmDevice,
  ) {}

  /** The submission before it has run already. */
  async read(): Promise<ArrayBuffer> {
    const copy = new Uint8Array(this.device.bytes(this.at, this.sizeBytes)).buffer;
    await this.device.idle();
    return copy;
  }

  /** Once more changes nothing: another buffer may be at the address by then. */
  destroy(): void {
    if (!this.destroyed) this.device.release(this.at);
    this.destroyed = true;
  }
}

/** More share too little work each. */
export const maxThreads = 8;

/** Threads that may share memory with this one. */
export interface ThreadPool {
  /** Beside the thread that opens the device. */
  readonly count: number;
  /** Starts one that calls `new Walker(start).serve()`; resolves when it does. */
  start(start: ThreadStart): Promise<void>;
}

/** What a device gives up when it is destroyed, so that no one who still knows it keeps the memory. */
interface Core {
  readonly memory: LinearMemory;
  readonly walker: Walker;
}

export class WasmDevice extends Device {
  private core: Core | null;
  /** Memory for the words of a submission. */
  private program: { readonly at: number; readonly size: number };
  /** Buffers made by the current `guarded` work. */
  private born: CpuBuffer[] | null = null;
  private lastYieldMs = performance.now();

  private constructor(
    private readonly module: KernelModule,
    memory: LinearMemory,
    walker: Walker,
  ) {
    super({
      kind: 'cpu',
      name: cpuName,
      software: true,
      immediate: true,
      features: [],
      maxTensorBytes: memory.maxBytes / 2,
      maxTotalBytes: memory.maxBytes,
    });
    this.core = { memory, walker };
    this.program = { at: memory.allocate(1 << 16), size: 1 << 16 };
  }

  /**
   * @param pool where memory can be shared: in Node, and in a page that is isolated
   * @param limit bytes that all its buffers may take, if that is less than can be addressed
   */
  static async open(pool?: ThreadPool, limit?: number): Promise<WasmDevice> {
    const threads = 1 + (pool?.count ?? 0);
    const isShared = threads > 1;
    const kernels = await loadKernels(isShared);
    const memory = new LinearMemory(isShared, limit);
    const control = memory.allocate(controlBytes);
    const starts = Array.from({ length: threads }, (_, thread): ThreadStart => {
      const { module, exports } = kernels;
      return {
        module,
        exports,
        memory: memory.memory,
        scratch: memory.allocate(scratchBytes),
        control,
        thread,
        threads,
      };
    });
    await Promise.all(starts.slice(1).map((start) => pool!.start(start)));
    return new WasmDevice(kernels, memory, new Walker(starts[0]));
  }

  private get memory(): LinearMemory {
    assert(this.core !== null, 'the CPU device is used after it was destroyed');
    return this.core.memory;
  }

  /** What is there now. The view lasts until memory grows. */
  bytesOf(range: BufferRange): Uint8Array {
    return this.bytes(addressOf(range), range.sizeBytes);
  }

  /** A view that lasts until memory grows. */
  bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.memory.buffer, at, size);
  }

  buffer(label: string, sizeBytes: number): CpuBuffer {
    assert(sizeBytes > 0, `buffer ${label} has no bytes`);
    this.counters.buffers++;
    try {
      const buffer = new CpuBuffer(this.memory.allocate(sizeBytes), sizeBytes, this);
      this.born?.push(buffer);
      return buffer;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const size = (sizeBytes / 1e6).toFixed(0);
      throw new OutOfDeviceMemory(
        `There is not enough memory for ${label} (${size} MB). Choose a smaller batch or model.`,
      );
    }
  }

  staging(label: string, sizeBytes: number): CpuBuffer {
    return this.buffer(label, sizeBytes);
  }

  release(at: number): void {
    this.core?.memory.release(at);
  }

  write(buffer: DeviceBuffer, offsetBytes: number, data: Float32Array | Uint32Array): void {
    const { at } = buffer as CpuBuffer;
    this.bytes(at + offsetBytes, data.byteLength).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }

  bind(
    shader: string,
    entry: string,
    constants: Constants,
    tensors: Readonly<Record<string, BufferRange>>,
    grid: Dispatch['grid'],
  ): CpuDispatch {
    this.counters.bindGroups++;
    const label = `${shader}.${entry}`;
    const kernel = this.module.kernels.get(label);
    assert(kernel !== undefined, () => `there is no CPU kernel ${label}: write it in shaders/${shader}.ts`);
    const bytes = Object.values(tensors).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const words = argumentWords(kernel.fields, constants, tensors);
    return { label, kernel: kernel.number, parts: partsOf(bytes), words, grid };
  }

  encoder(): Encoder {
    return new CpuEncoder(this);
  }

  /** Runs the words of a submission. */
  execute(words: readonly number[]): void {
    if (words.length * 4 > this.program.size) {
      const size = words.length * 8;
      const at = this.memory.allocate(size);
      this.release(this.program.at);
      this.program = { at, size };
    }
    const { at } = this.program;
    new Int32Array(this.memory.memory.buffer, at, words.length).set(words);
    this.core!.walker.submit(at, at + 4 * words.length);
  }

  async compiled(onProgress?: (done: number, total: number) => void): Promise<void> {
    onProgress?.(1, 1);
  }

  async guarded<T>(what: string, work: () => Promise<T>): Promise<T> {
    const born: CpuBuffer[] = (this.born = []);
    try {
      return await work();
    } catch (error) {
      for (const buffer of born) buffer.destroy();
      if (!(error instanceof OutOfDeviceMemory)) throw error;
      throw new OutOfDeviceMemory(
        `There is not enough memory for ${what}: halve the batch, or choose a smaller model.`,
      );
    } finally {
      this.born = null;
    }
  }

  /** Lets messages in, now and then: what was submitted is done already. */
  async idle(): Promise<void> {
    if (performance.now() - this.lastYieldMs < maxBusyMs) return;
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
    this.lastYieldMs = performance.now();
  }

  /** A CPU is not lost. */
  onLoss(): () => void {
    return () => undefined;
  }

  async causeOf(error: unknown): Promise<unknown> {
    return error;
  }

  get canProfile(): boolean {
    return true;
  }

  async profile(dispatches: readonly Dispatch[]): Promise<KernelTime[]> {
    const times = dispatches.map((dispatch) => {
      const start = performance.now();
      const encoder = this.encoder();
      encoder.run([dispatch]);
      encoder.submit();
      return performance.now() - start;
    });
    return timesByKernel(dispatches, times);
  }

  destroy(): void {
    this.core?.walker.stop();
    this.core = null;
    this.lost = true;
  }

  /** WebAssembly memory grows and never shrinks. */
  override giveBackMemory(): void {
    this.destroy();
  }
}

class CpuEncoder implements Encoder {
  private readonly words: number[] = [];

  constructor(private readonly device: WasmDevice) {}

  clear(range: BufferRange): void {
    this.words.push(clearOperation, 3, partsOf(range.sizeBytes), addressOf(range), range.sizeBytes);
  }

  copy(from: BufferRange, to: BufferRange): void {
    this.pushCopy(addressOf(from), addressOf(to), from.sizeBytes);
  }

  run(dispatches: readonly Dispatch[]): void {
    for (const dispatch of dispatches) {
      const { kernel, parts, words } = dispatch as CpuDispatch;
      const { items } = gridOf(dispatch);
      this.words.push(kernel, 2 + words.length, parts, items);
      for (const word of words) this.words.push(word);
    }
  }

  stage(range: BufferRange, staging: Staging): void {
    this.pushCopy(addressOf(range), (staging as CpuBuffer).at, range.sizeBytes);
  }

  submit(): void {
    this.device.execute(this.words);
  }

  private pushCopy(from: number, to: number, bytes: number): void {
    this.words.push(copyOperation, 4, partsOf(bytes), to, bytes, from);
  }
}

/** Follows from sizes alone, so that it is the same for any number of threads. @param bytes of all tensors of a step */
const partsOf = (bytes: number): number => Math.min(maxParts, Math.ceil(bytes / partBytes));

const addressOf = ({ buffer, offsetBytes }: BufferRange) => (buffer as CpuBuffer).at + offsetBytes;

/** A kernel's arguments: addresses of tensors (0 if one is not bound) and constants, by the names of the fields. */
function argumentWords(
  fields: CpuKernel['fields'],
  constants: Constants,
  tensors: Readonly<Record<string, BufferRange>>,
): Int32Array {
  const words = new Int32Array(fields.length);
  const floats = new Float32Array(words.buffer);
  fields.forEach(({ name, type }, i) => {
    if (type === 'usize') words[i] = tensors[name] ? addressOf(tensors[name]) : 0;
    else {
      const value = constants[name];
      assert(value !== undefined, `the constant ${name} is not given`);
      (type === 'f32' ? floats : words)[i] = Number(value);
    }
  });
  return words;
}
