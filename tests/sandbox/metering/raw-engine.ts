/**
 * QuickJS over its raw exports, metered or as published, to hold one against the other. No dispatcher, no SDK, no JSON.
 */
import { createImports } from '../../../src/sandbox/imports';
import { limits } from '../../../src/sandbox/limits';

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

/**
 * Text of the script's value or of what it threw, and the fuel it burnt, which is null without metering.
 * @param most where the metered engine stops the script, by a WebAssembly.RuntimeError; the published one cannot be
 * stopped, so give it only what ends
 */
export function evaluate(
  binary: WebAssembly.Module,
  script: string,
  most?: { readonly fuel: number; readonly depth: number },
): { text: string; fuel: number | null } {
  const memory = { bytes: () => new Uint8Array(engine.memory.buffer), write };
  const engine = new WebAssembly.Instance(binary, createImports(new Map(), memory)).exports as unknown as Exports;
  engine._initialize();
  engine.qjs_init2(0b1_1111_1111);
  engine.qjs_set_memory_limit(limits.heapBytes);
  engine.qjs_set_max_stack_size(limits.stackBytes);
  if (most && engine.fuel && engine.depthLimit) [engine.fuel.value, engine.depthLimit.value] = [most.fuel, most.depth];
  const source = write(script);
  const name = write('script.js');
  const length = engine.wasm_malloc(4);
  const before = engine.fuel?.value ?? null;
  const value = engine.qjs_eval(source.pointer, source.length, name.pointer, 0);
  const text = engine.qjs_get_string_len(engine.qjs_is_exception(value) ? engine.qjs_get_exception() : value, length);
  const size = new DataView(engine.memory.buffer).getUint32(length, true);
  return {
    text: text === 0 ? 'no text' : new TextDecoder().decode(memory.bytes().subarray(text, text + size)),
    fuel: before === null ? null : before - engine.fuel!.value,
  };

  function write(code: string): { pointer: number; length: number } {
    const bytes = new TextEncoder().encode(code);
    const pointer = engine.wasm_malloc(bytes.length + 1);
    memory.bytes().set(bytes, pointer);
    memory.bytes()[pointer + bytes.length] = 0;
    return { pointer, length: bytes.length };
  }
}
