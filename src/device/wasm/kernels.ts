/** The kernels of the CPU device: one WebAssembly module, loaded when it is first asked for. */
import type { CpuKernel } from 'virtual:cpu-kernels';
import { assert } from '../../lib/assert';

/** `args` is the address of the kernel's arguments; see `shaders/gelu.ts` for an example. */
export type Kernel = (args: number, items: number, thread: number, threads: number) => void;

export interface KernelModule {
  readonly module: WebAssembly.Module;
  /** Of each kernel, in the order of their numbers. */
  readonly names: readonly string[];
  readonly fields: ReadonlyMap<string, CpuKernel['fields']>;
  readonly exports: readonly string[];
}

/** @param shared whether the memory that it will be given is */
export async function loadKernels(shared: boolean): Promise<KernelModule> {
  const { base64, kernels } = await import('virtual:cpu-kernels');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!shared) unshare(bytes);
  return {
    module: await WebAssembly.compile(bytes),
    names: Object.keys(kernels),
    fields: new Map(Object.entries(kernels).map(([name, { fields }]) => [name, fields])),
    exports: Object.values(kernels).map((kernel) => kernel.export),
  };
}

/** An instance for one thread. @param scratch address of `scratchBytes` bytes of its own */
export function instantiate({ module, exports }: Pick<KernelModule, 'module' | 'exports'>, memory: WebAssembly.Memory) {
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const functions = instance.exports as Record<string, Kernel>;
  return {
    kernels: exports.map((name) => functions[name]),
    setScratch: instance.exports.setScratch as (at: number) => void,
  };
}

export const scratchBytes = 1 << 20;

/** The module imports a shared memory; the same code runs over one that is not, once its import says so. */
function unshare(bytes: Uint8Array): void {
  const importName = [...'\x03env\x06memory'].map((character) => character.charCodeAt(0));
  const at = bytes.findIndex((_, i) => importName.every((byte, k) => bytes[i + k] === byte)) + importName.length;
  assert(bytes[at] === 2 && bytes[at + 1] === 3, 'the kernels do not import a shared memory');
  bytes[at + 1] = 1;
}
