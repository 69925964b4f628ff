/** The kernels of the CPU device: one WebAssembly module, loaded when it is first asked for. */
import type { CpuKernel } from 'virtual:cpu-kernels';
import { assert } from '../../lib/assert';

export interface KernelModule {
  readonly module: WebAssembly.Module;
  /** Name in the module of each kernel, by number. */
  readonly exports: readonly string[];
  /** Number and arguments of each kernel, by `shader.entry`. */
  readonly kernels: ReadonlyMap<string, { readonly number: number; readonly fields: CpuKernel['fields'] }>;
}

/** @param shared whether the memory that it will be given is */
export async function loadKernels(shared: boolean): Promise<KernelModule> {
  const { base64, kernels } = await import('virtual:cpu-kernels');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!shared) unshare(bytes);
  const entries = Object.entries(kernels);
  return {
    module: await WebAssembly.compile(bytes),
    exports: entries.map(([, kernel]) => kernel.export),
    kernels: new Map(entries.map(([name, { fields }], number) => [name, { number, fields }])),
  };
}

/** Memory of each thread for packed operands and rows. */
export const scratchBytes = 1 << 20;

/** The module imports a shared memory; the same code runs over one that is not, once its import says so. */
function unshare(bytes: Uint8Array): void {
  const importName = [...'\x03env\x06memory'].map((character) => character.charCodeAt(0));
  const at = bytes.findIndex((_, i) => importName.every((byte, k) => bytes[i + k] === byte)) + importName.length;
  assert(bytes[at] === 2 && bytes[at + 1] === 3, 'the kernels do not import a shared memory');
  bytes[at + 1] = 1;
}
