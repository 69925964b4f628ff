/**
 * What replays a tape: WebGPU or the CPU. Code above this folder knows a `Device`, its buffers and its dispatches, and
 * never which of them it has.
 */
import type { DeviceKind } from './choice';

/** The device is gone with everything created on it; whether its last submissions ran is unknown. */
export class DeviceLost extends Error {
  constructor() {
    super('The graphics device was lost.');
  }
}

/** An allocation failed; everything that belonged to it was freed. */
export class OutOfDeviceMemory extends Error {}

export type Constants = Readonly<Record<string, number | boolean>>;

/** How much a dispatch computes. */
export interface Grid {
  /** For GPUs. */
  readonly workgroups: readonly [number, number, number];
  /** For CPUs, which divide them among threads: rows, or whatever else the kernel takes one by one. */
  readonly items: number;
}

/** A kernel bound to its tensors; each kind of device adds what it needs to run it. */
export interface Dispatch {
  /** `shader.entry` */
  readonly label: string;
  /** A function is called each time the dispatch is encoded. */
  readonly grid: Grid | (() => Grid);
}

export interface DeviceBuffer {
  destroy(): void;
}

/** Part of a buffer: all that a device needs to know of a tensor. */
export interface BufferRange {
  readonly buffer: DeviceBuffer;
  /** A multiple of 256, so that the range can be bound. */
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** What one submission does, in order. Nothing happens before `submit`. */
export interface Encoder {
  clear(range: BufferRange): void;
  copy(from: BufferRange, to: BufferRange): void;
  run(dispatches: readonly Dispatch[]): void;
  stage(range: BufferRange, staging: Staging): void;
  submit(): void;
}

/** Where numbers wait to be read back; used again and again. */
export interface Staging extends DeviceBuffer {
  /** What was staged, once the submission has run. Call it after `submit`. */
  read(): Promise<ArrayBuffer>;
}

export interface AdapterFacts {
  readonly kind: DeviceKind;
  readonly name: string;
  /** It computes on the CPU, as SwiftShader, lavapipe and WebAssembly do. */
  readonly software: boolean;
  readonly features: readonly string[];
  /** What was submitted has run already, so that reading back costs nothing. */
  readonly immediate: boolean;
  /** Threads that can read each other's registers; undefined if none can, or if their number varies. */
  readonly subgroupSize?: number;
  /** Largest tensor that a kernel may bind, in bytes. */
  readonly maxTensorBytes: number;
  /** All that it can ever hold, in bytes; Infinity where that is not known. */
  readonly maxTotalBytes: number;
}

export interface KernelTime {
  readonly kernel: string;
  readonly calls: number;
  readonly totalMs: number;
}

const noWork = { dispatches: 0, passes: 0, submits: 0, bindGroups: 0, buffers: 0 };

export abstract class Device {
  /** Work since `resetCounters`. */
  readonly counters = { ...noWork };
  /** Set by an error that nobody asked for: results from then on cannot be trusted. */
  uncapturedError: string | null = null;
  lost = false;

  constructor(readonly adapter: AdapterFacts) {}

  /** A zero-filled buffer. @param use `uniform` if kernels read it as one @throws OutOfDeviceMemory */
  abstract buffer(label: string, sizeBytes: number, use?: 'uniform'): DeviceBuffer;

  /** Takes effect before everything that is submitted later. */
  abstract write(buffer: DeviceBuffer, offsetBytes: number, data: Float32Array | Uint32Array): void;

  /**
   * Binds `entry` of `shaders/<shader>`. Its kernel may be compiling still: see `compiled`.
   * @param tensors by the names of the kernel's variables
   */
  abstract bind(
    shader: string,
    entry: string,
    constants: Constants,
    tensors: Readonly<Record<string, BufferRange>>,
    grid: Dispatch['grid'],
  ): Dispatch;

  abstract encoder(): Encoder;

  abstract staging(label: string, sizeBytes: number): Staging;

  /** Waits for the kernels of everything bound so far. @param onProgress is given (done, total) */
  abstract compiled(onProgress?: (done: number, total: number) => void): Promise<void>;

  /**
   * Runs `work`: an error of the device in it is thrown as a sentence, and its buffers are freed. Do not nest.
   * @throws OutOfDeviceMemory, DeviceLost, or what `work` throws
   */
  abstract guarded<T>(what: string, work: () => Promise<T>): Promise<T>;

  /** Resolves when everything submitted so far is done. @throws DeviceLost */
  abstract idle(): Promise<void>;

  /** @param listener is called unless `destroy` caused the loss @returns a function that removes it */
  abstract onLoss(listener: () => void): () => void;

  /** The cause of failed work: `DeviceLost` if the device is gone, which may be reported a little later. */
  abstract causeOf(error: unknown): Promise<unknown>;

  abstract get canProfile(): boolean;

  /** Runs the dispatches once and returns the time of each kernel, longest first. */
  abstract profile(dispatches: readonly Dispatch[]): Promise<KernelTime[]>;

  abstract destroy(): void;

  /** Call it after OutOfDeviceMemory ended a run: a device that frees memory only with itself is destroyed. */
  giveBackMemory(): void {}

  resetCounters(): void {
    Object.assign(this.counters, noWork);
  }
}

/** Times of dispatches, added up by kernel, longest first. @param times [dispatches], ms */
export function timesByKernel(dispatches: readonly Dispatch[], times: readonly number[]): KernelTime[] {
  const sums = new Map<string, KernelTime>();
  dispatches.forEach(({ label: kernel }, i) => {
    const { calls, totalMs } = sums.get(kernel) ?? { calls: 0, totalMs: 0 };
    sums.set(kernel, { kernel, calls: calls + 1, totalMs: totalMs + times[i] });
  });
  return [...sums.values()].sort((a, b) => b.totalMs - a.totalMs);
}

export function gridOf({ grid }: Dispatch): Grid {
  return typeof grid === 'function' ? grid() : grid;
}
