/**
 * One QuickJS in WebAssembly, driven over the raw exports of the metered quickjs.wasm: evaluates modules, calls a
 * function with text in and text out, copies the memory out and back. Guest code always ends in a return, a
 * `GuestThrew` or a `GuestStopped`.
 */
import { assert } from '../lib/assert';
import type { KillReason } from '../agent/sandbox';
import { createImports } from './imports';
import { limits } from './limits';

/** Guest code threw; the guest is still usable. */
export class GuestThrew extends Error {}

/** Guest code was stopped; the guest must be restored before it is used again. */
export class GuestStopped extends Error {
  constructor(readonly reason: KillReason) {
    super(`stopped: ${reason}`);
  }
}

/** A value on the guest's heap: the address of its box. Valid until freed or restored away. */
export type Handle = number;

/** A guest at rest: all of its linear memory, its stack pointer and the two roots outside of it. */
export interface Snapshot {
  readonly sizeBytes: number;
  /** Runs that are not all zero, by address. Most of the memory is zero, and filling is twice as fast as copying. */
  readonly pieces: readonly { readonly start: number; readonly bytes: Uint8Array }[];
  readonly stackPointer: number;
  readonly runtime: number;
  readonly context: number;
  readonly scratch: Scratch;
}

/** Buffers in guest memory, reused by every call. */
interface Scratch {
  readonly input: number;
  readonly arguments: number;
  readonly length: number;
  readonly undefined: Handle;
}

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global<'i32'>;
  /** Fuel left; the engine traps below 0. */
  readonly fuel: WebAssembly.Global<'i32'>;
  /** Current depth; the engine traps above `depthLimit`. */
  readonly depth: WebAssembly.Global<'i32'>;
  readonly depthLimit: WebAssembly.Global<'i32'>;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  wasm_free(pointer: number): void;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_set_module_loader(on: number): void;
  qjs_run_gc(): void;
  qjs_get_undefined(): Handle;
  qjs_eval(source: number, length: number, name: number, flags: number): Handle;
  qjs_call(callee: Handle, receiver: Handle, count: number, values: number): Handle;
  qjs_new_string(bytes: number, length: number): Handle;
  qjs_get_string_len(value: Handle, lengthOut: number): number;
  qjs_free_cstring(text: number): void;
  qjs_get_prop_string(value: Handle, name: number): Handle;
  qjs_free_value(value: Handle): void;
  qjs_is_exception(value: Handle): number;
  qjs_is_string(value: Handle): number;
  qjs_get_exception(): Handle;
  qjs_promise_state(promise: Handle): number;
  qjs_promise_result(promise: Handle): Handle;
  qjs_get_runtime_ptr(): number;
  qjs_get_context_ptr(): number;
  qjs_set_runtime_and_context(runtime: number, context: number): void;
}

/** All of the language's own objects; without WeakRef (9), performance (10), DOMException (11), atob and btoa (12). */
const intrinsics = 0b1_1111_1111;
const moduleFlag = 1;
const fulfilled = 1;
const rejected = 2;
/** Free memory in the snapshot, so that an ordinary episode does not grow the memory, which cannot shrink. */
const spareBytes = 512 * 1024;
const pageBytes = 65536;
/** For the host's own work on a guest, which runs no guest code. */
const boundless = 0x7fffffff;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class QuickJs {
  private exports: Exports;
  private view = new Uint8Array(0);
  private scratch: Scratch;
  private allowance = 0;

  /**
   * @param binary The metered quickjs.wasm, compiled.
   * @param modules Specifier → source of every module that guest code can import.
   */
  constructor(
    private readonly binary: WebAssembly.Module,
    private readonly modules: ReadonlyMap<string, string>,
  ) {
    this.exports = this.instantiate();
    const engine = this.exports;
    this.refuel(boundless);
    engine._initialize();
    if (engine.qjs_init2(intrinsics) !== 0) throw new Error('QuickJS could not start: its runtime was not created.');
    engine.qjs_set_memory_limit(limits.heapBytes);
    engine.qjs_set_max_stack_size(limits.stackBytes);
    engine.qjs_set_module_loader(1);
    this.scratch = {
      input: engine.wasm_malloc(limits.inputBytes),
      arguments: engine.wasm_malloc(4),
      length: engine.wasm_malloc(4),
      undefined: engine.qjs_get_undefined(),
    };
  }

  /** Bytes of linear memory. */
  get memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /** Sets the fuel of all that follows together. */
  refuel(fuel: number): void {
    this.allowance = fuel;
    this.exports.fuel.value = fuel;
  }

  /** Fuel burnt since `refuel`; all of it after a stop for fuel. */
  get burnt(): number {
    return this.allowance - Math.max(0, this.exports.fuel.value);
  }

  /** Evaluates an ES module and returns its namespace. */
  evaluateModule(source: string, name: string): Handle {
    return this.guard(() => {
      const engine = this.exports;
      const code = this.write(source);
      const label = this.write(name);
      if (code.pointer === 0 || label.pointer === 0) throw new GuestStopped('memory');
      const promise = this.checked(engine.qjs_eval(code.pointer, code.length, label.pointer, moduleFlag));
      engine.wasm_free(code.pointer);
      engine.wasm_free(label.pointer);
      const state = engine.qjs_promise_state(promise);
      const result = engine.qjs_promise_result(promise);
      if (state === rejected) throw new GuestThrew(this.explain(result));
      if (state !== fulfilled) throw new GuestThrew('SyntaxError: top-level await is not supported');
      engine.qjs_free_value(promise);
      return result;
    });
  }

  /** A property of a module namespace or object. */
  property(value: Handle, name: string): Handle {
    return this.guard(() => this.readProperty(value, name));
  }

  /** Calls `callee` with one value. */
  call(callee: Handle, argument: Handle): Handle {
    return this.guard(() => this.invoke(callee, argument));
  }

  /** Calls `callee` with one string of any length. */
  callWithText(callee: Handle, text: string): void {
    this.guard(() => {
      const engine = this.exports;
      const { pointer, length } = this.write(text);
      if (pointer === 0) throw new GuestStopped('memory');
      const argument = engine.qjs_new_string(pointer, length);
      engine.wasm_free(pointer);
      engine.qjs_free_value(this.invoke(callee, this.checked(argument)));
      engine.qjs_free_value(argument);
    });
  }

  /** Calls `callee` with one string of at most `limits.inputBytes` and returns the string it returns. */
  callText(callee: Handle, text: string): string {
    return this.guard(() => {
      const engine = this.exports;
      const { input } = this.scratch;
      const { read, written } = encoder.encodeInto(text, this.bytes().subarray(input, input + limits.inputBytes));
      if (read !== text.length)
        throw new GuestThrew(`The input is larger than ${limits.inputBytes} bytes; send less at a time.`);
      const argument = engine.qjs_new_string(input, written);
      const result = this.invoke(callee, argument);
      if (engine.qjs_is_string(result) === 0) throw new GuestStopped('trap');
      const answer = this.readString(result);
      engine.qjs_free_value(result);
      engine.qjs_free_value(argument);
      return answer;
    });
  }

  /** Copies the guest's whole state. Handles stay valid in it. */
  snapshot(): Snapshot {
    const engine = this.exports;
    this.refuel(boundless);
    engine.qjs_run_gc();
    engine.wasm_free(engine.wasm_malloc(spareBytes));
    return {
      sizeBytes: this.memoryBytes,
      pieces: piecesOf(this.bytes()),
      stackPointer: engine.__stack_pointer.value,
      runtime: engine.qjs_get_runtime_ptr(),
      context: engine.qjs_get_context_ptr(),
      scratch: this.scratch,
    };
  }

  /** Restores the snapshot: by a copy, or by a new instance if the memory has grown. */
  restore(snapshot: Snapshot): void {
    if (this.memoryBytes !== snapshot.sizeBytes) {
      this.exports = this.instantiate();
      const missing = (snapshot.sizeBytes - this.memoryBytes) / pageBytes;
      if (missing > 0) this.exports.memory.grow(missing);
    }
    const memory = this.bytes();
    let end = 0;
    for (const { start, bytes } of snapshot.pieces) {
      memory.fill(0, end, start).set(bytes, start);
      end = start + bytes.length;
    }
    memory.fill(0, end);
    this.exports.depth.value = 0;
    this.exports.__stack_pointer.value = snapshot.stackPointer;
    this.exports.qjs_set_runtime_and_context(snapshot.runtime, snapshot.context);
    this.scratch = snapshot.scratch;
  }

  private instantiate(): Exports {
    const memory = { bytes: () => this.bytes(), write: (text: string) => this.write(text) };
    const exports = newInstance(this.binary, createImports(this.modules, memory));
    assert(exports.fuel instanceof WebAssembly.Global, 'the sandbox engine is not metered');
    exports.depthLimit.value = limits.depth;
    return exports;
  }

  /** A fresh view, since growing detaches older ones. */
  private bytes(): Uint8Array {
    const { buffer } = this.exports.memory;
    if (this.view.buffer !== buffer) this.view = new Uint8Array(buffer);
    return this.view;
  }

  private write(text: string): { pointer: number; length: number } {
    const bytes = encoder.encode(text);
    const pointer = this.exports.wasm_malloc(bytes.length + 1) >>> 0;
    if (pointer === 0) return { pointer, length: 0 };
    const memory = this.bytes();
    memory.set(bytes, pointer);
    memory[pointer + bytes.length] = 0;
    return { pointer, length: bytes.length };
  }

  private invoke(callee: Handle, argument: Handle): Handle {
    new DataView(this.bytes().buffer).setUint32(this.scratch.arguments, argument, true);
    return this.checked(this.exports.qjs_call(callee, this.scratch.undefined, 1, this.scratch.arguments));
  }

  private checked(value: Handle): Handle {
    if (value === 0) throw new GuestStopped('memory');
    if (this.exports.qjs_is_exception(value) !== 0)
      throw new GuestThrew(this.explain(this.exports.qjs_get_exception()));
    return value;
  }

  private readProperty(value: Handle, name: string): Handle {
    const key = this.write(name);
    const result = this.checked(this.exports.qjs_get_prop_string(value, key.pointer));
    this.exports.wasm_free(key.pointer);
    return result;
  }

  /** Text of a thrown value, with the line it came from. May run guest code. */
  private explain(error: Handle): string {
    const message = this.readString(error);
    const key = this.write('stack');
    const stack = this.exports.qjs_get_prop_string(error, key.pointer);
    const place =
      this.exports.qjs_is_string(stack) !== 0 ? /(environment\.js:\d+(:\d+)?)/.exec(this.readString(stack)) : null;
    return (place === null ? message : `${message} (${place[1]})`).slice(0, limits.messageLength);
  }

  /** May run guest code: `toString` of an object. */
  private readString(value: Handle): string {
    const engine = this.exports;
    const text = engine.qjs_get_string_len(value, this.scratch.length) >>> 0;
    if (text === 0) {
      engine.qjs_free_value(engine.qjs_get_exception());
      return 'a value that cannot be shown';
    }
    const length = new DataView(this.bytes().buffer).getUint32(this.scratch.length, true);
    // The dispatcher limits characters; this limits bytes, with the same message after the same mark.
    if (length > limits.outputBytes + 1)
      throw new GuestThrew(`RangeError: a result is more than ${limits.outputBytes} bytes of JSON; return less`);
    const string = decoder.decode(this.bytes().subarray(text, text + length));
    engine.qjs_free_cstring(text);
    return string;
  }

  /** Runs guest code and turns its errors and traps into one of the two errors. */
  private guard<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof GuestThrew || error instanceof GuestStopped) throw error;
      const reason = this.stopReason(error);
      if (reason === null) throw error;
      throw new GuestStopped(reason);
    }
  }

  /** Null if the guest did not cause the error. */
  private stopReason(error: unknown): KillReason | null {
    if (error instanceof WebAssembly.RuntimeError) {
      if (this.exports.fuel.value < 0) return 'fuel';
      return this.exports.depth.value > limits.depth ? 'depth' : 'trap';
    }
    // A full native stack is a RangeError in V8 and JavaScriptCore, an InternalError in SpiderMonkey; other RangeErrors
    // are wild pointers.
    if (error instanceof Error && /call stack|recursion/.test(error.message)) return 'stack';
    return error instanceof RangeError ? 'trap' : null;
  }
}

function newInstance(binary: WebAssembly.Module, imports: WebAssembly.Imports): Exports {
  try {
    return new WebAssembly.Instance(binary, imports).exports as Exports;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Error(
      'There is no memory left for another sandbox. Close other tabs or programs and start the run again.',
      { cause: error },
    );
  }
}

/** Copies of the runs of pages that are not all zero. */
function piecesOf(memory: Uint8Array): Snapshot['pieces'] {
  const words = new Uint32Array(memory.buffer);
  const pieces: { start: number; bytes: Uint8Array }[] = [];
  let start = -1;
  for (let page = 0; page <= memory.length; page += pageBytes) {
    const isZero = page === memory.length || isAllZero(words, page / 4, (page + pageBytes) / 4);
    if (isZero && start >= 0) pieces.push({ start, bytes: memory.slice(start, page) });
    if (isZero) start = -1;
    else if (start < 0) start = page;
  }
  return pieces;
}

function isAllZero(words: Uint32Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (words[i] !== 0) return false;
  return true;
}
