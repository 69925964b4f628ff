/** QuickJS over its raw exports, metered or not: evaluates a script to the text of its value. */
import { createImports } from '../../../src/sandbox/imports';
import { limits } from '../../../src/sandbox/limits';

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly fuel?: WebAssembly.Global<'i32'>;
  _initialize(): void;
  wasm_malloc(bytes: number): number;
  qjs_init2(intrinsics: number): number;
  qjs_set_max_stack_size(bytes: number): void;
  qjs_eval(source: number, length: number, name: number, flags: number): number;
  qjs_is_exception(value: number): number;
  qjs_get_exception(): number;
  qjs_get_string_len(value: number, lengthOut: number): number;
}

/** Text of the script's value or of what it threw, and the fuel it burnt, which is null without metering. */
export function evaluate(binary: WebAssembly.Module, script: string): { text: string; fuel: number | null } {
  const memory = { bytes: () => new Uint8Array(engine.memory.buffer), write };
  const engine = new WebAssembly.Instance(binary, createImports(new Map(), memory)).exports as unknown as Exports;
  engine._initialize();
  engine.qjs_init2(0b1_1111_1111);
  engine.qjs_set_max_stack_size(limits.stackBytes);
  const source = write(script);
  const name = write('script.js');
  const length = engine.wasm_malloc(4);
  const before = engine.fuel?.value ?? null;
  const value = engine.qjs_eval(source.pointer, source.length, name.pointer, 0);
  const text = engine.qjs_get_string_len(engine.qjs_is_exception(value) ? engine.qjs_get_exception() : value, length);
  const size = new DataView(engine.memory.buffer).getUint32(length, true);
  return {
    text: new TextDecoder().decode(memory.bytes().subarray(text, text + size)),
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
