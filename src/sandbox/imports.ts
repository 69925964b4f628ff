/**
 * The twelve functions that quickjs.wasm imports. Eleven are inert or constant, so a guest has no clock, entropy, file
 * or host function; one serves the sources of importable modules.
 */

/** The guest's memory, reached lazily because imports exist before the instance. */
export interface GuestMemory {
  bytes(): Uint8Array;
  /** Pointer to a NUL-terminated copy that the guest frees, and its length in bytes; pointer 0 if memory is out. */
  write(text: string): { pointer: number; length: number };
}

/** 2000-01-01T00:00Z: the time of every guest. */
const nowNanoseconds = 946_684_800_000_000_000n;
const badDescriptor = 8;
const notSupported = 52;

/** @param modules specifier → source of every module that guest code can import */
export function createImports(modules: ReadonlyMap<string, string>, memory: GuestMemory): WebAssembly.Imports {
  const view = () => new DataView(memory.bytes().buffer);
  return {
    env: {
      // Never called: no interrupt handler is set, since fuel stops a guest.
      host_interrupt: () => 0,
      host_module_normalize: (_importer: number, name: number) => memory.write(readName(memory.bytes(), name)).pointer,
      host_module_load: (name: number, lengthOut: number) => {
        const source = modules.get(readName(memory.bytes(), name));
        if (source === undefined) return 0;
        const { pointer, length } = memory.write(source);
        view().setUint32(lengthOut >>> 0, length, true);
        return pointer;
      },
      host_get_timezone_offset: () => 0,
      host_promise_rejection: () => {},
      host_call: () => 0,
    },
    wasi_snapshot_preview1: {
      clock_time_get: (_clock: number, _precision: bigint, out: number) => {
        view().setBigUint64(out >>> 0, nowNanoseconds, true);
        return 0;
      },
      random_get: (out: number, length: number) => {
        memory.bytes().fill(0x42, out >>> 0, (out >>> 0) + (length >>> 0));
        return 0;
      },
      fd_write: () => badDescriptor,
      fd_fdstat_get: () => badDescriptor,
      fd_close: () => notSupported,
      fd_seek: () => notSupported,
    },
  };
}

const maxNameBytes = 256;

function readName(bytes: Uint8Array, pointer: number): string {
  const name = bytes.subarray(pointer >>> 0, (pointer >>> 0) + maxNameBytes);
  const end = name.indexOf(0);
  return new TextDecoder().decode(end < 0 ? name : name.subarray(0, end));
}
