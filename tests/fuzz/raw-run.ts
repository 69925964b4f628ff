/** Runs a program in the bare engine, metered or as published, to hold one against the other. No dispatcher, no SDK, no JSON. */
import { createImports } from '../../src/sandbox/imports';
import { limits } from '../../src/sandbox/limits';

interface Exports {
  readonly memory: WebAssembly.Memory;
  /** These two only in the metered engine. */
  readonly fuel?: WebAssembly.Global<'i32'>;
  readonly depthLimit?: WebAssembly.Global<'i32'>;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  qjs_init2(intrinsics: number): number;
  qjs_set_memory_limit(bytes: number): void;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_eval(source: number, length: number, name: number, flags: number): number;
  qjs_is_exception(value: number): number;
  qjs_get_exception(): number;
  qjs_get_string_len(value: number, lengthOut: number): number;
}

/** What the metered engine may burn before a program is given up. */
const mostFuel = 5_000_000;

/**
 * Text of what the program gave or threw, or null if it did not end under the limits of the metered engine. The published one has no limits worth
 * the name, so it is only asked what has ended in the other.
 */
export function rawRun(binary: WebAssembly.Module, body: string): string | null {
  const memory = { bytes: () => new Uint8Array(engine.memory.buffer), write };
  const engine = new WebAssembly.Instance(binary, createImports(new Map(), memory)).exports as unknown as Exports;
  const source = `(function(){try{const r=(function(args){${body}\n})({x:1,s:'hi',list:[1,2]});return typeof r+JSON.stringify(r)+String(r)}catch(e){return 'threw '+e}})()`;
  try {
    engine._initialize();
    engine.qjs_init2(0b1_1111_1111);
    engine.qjs_set_memory_limit(limits.heapBytes);
    engine.qjs_set_max_stack_size(limits.stackBytes);
    if (engine.fuel && engine.depthLimit) [engine.fuel.value, engine.depthLimit.value] = [mostFuel, limits.depth];
    const code = write(source);
    const value = engine.qjs_eval(code.pointer, code.length, write('program.js').pointer, 0);
    const length = engine.wasm_malloc(4);
    const text = engine.qjs_get_string_len(engine.qjs_is_exception(value) ? engine.qjs_get_exception() : value, length);
    const view = new DataView(engine.memory.buffer);
    return text === 0 ? 'no text' : new TextDecoder().decode(new Uint8Array(engine.memory.buffer, text, view.getUint32(length, true)));
  } catch (error) {
    if (engine.fuel && error instanceof WebAssembly.RuntimeError) return null;
    throw error;
  }

  function write(text: string): { pointer: number; length: number } {
    const bytes = new TextEncoder().encode(text);
    const pointer = engine.wasm_malloc(bytes.length + 1);
    const target = new Uint8Array(engine.memory.buffer);
    target.set(bytes, pointer);
    target[pointer + bytes.length] = 0;
    return { pointer, length: bytes.length };
  }
}
