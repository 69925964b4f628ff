/** The metered quickjs.wasm itself: its digests, its surface, and that it computes what the original computes. */
import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { compileQuickJs, meterQuickJs, readQuickJs } from '../../../src/cli/quickjs';
import { cuttingFunctions } from '../../../src/sandbox/metering/call-graph';
import { meteredEngine } from '../../../src/sandbox/metering/metered-engine';
import { Op } from '../../../src/sandbox/metering/instructions';
import { bodyInstructions, readModule, type WasmModule } from '../../../src/sandbox/metering/wasm-module';
import { evaluate } from './raw-engine';
import { scripts } from './scripts';

let original: Uint8Array<ArrayBuffer>;
let unmetered: WebAssembly.Module;
let metered: WebAssembly.Module;

beforeAll(async () => {
  original = await readQuickJs();
  unmetered = await WebAssembly.compile(original);
  metered = await compileQuickJs();
});

test('is the same, byte for byte, every time it is built', async () => {
  const output = await meterQuickJs();
  expect(WebAssembly.validate(output)).toBe(true);
  expect(Buffer.compare(await meterQuickJs(), output)).toBe(0);
  expect(createHash('sha256').update(output).digest('hex')).toBe(
    '988ec37bed926cde70c23e29fc73e38ad91707c7fdad65848b5ebd534d2ac5fc',
  );
});

test('is made from no other file', async () => {
  const other = original.slice();
  other[other.length - 1] ^= 1;
  await expect(meteredEngine(other)).rejects.toThrow(
    /^quickjs\.wasm has the SHA-256 \w{64}, but d4c9375f\w+ is expected: install/,
  );
});

test('imports twelve functions and nothing else', () => {
  expect(WebAssembly.Module.imports(metered).map(({ module, name, kind }) => `${module}.${name} ${kind}`)).toEqual([
    'env.host_get_timezone_offset function',
    'env.host_interrupt function',
    'env.host_promise_rejection function',
    'env.host_module_normalize function',
    'env.host_module_load function',
    'env.host_call function',
    'wasi_snapshot_preview1.clock_time_get function',
    'wasi_snapshot_preview1.fd_close function',
    'wasi_snapshot_preview1.fd_fdstat_get function',
    'wasi_snapshot_preview1.fd_seek function',
    'wasi_snapshot_preview1.fd_write function',
    'wasi_snapshot_preview1.random_get function',
  ]);
});

test('exports what the original does, and the three counters', () => {
  const counters = ['fuel', 'depth', 'depthLimit'].map((name) => ({ name, kind: 'global' }));
  expect(WebAssembly.Module.exports(metered)).toEqual([...WebAssembly.Module.exports(unmetered), ...counters]);
});

test('has the functions that cut its recursion counted', () => {
  const module = readModule(original);
  expect([module.bodies.length, cuttingFunctions(module).size]).toEqual([1698, 363]);
});

test('runs at most 1.3 million instructions for a unit of fuel, whatever the guest does', () => {
  const longest = longestFreeRun(readModule(original));
  expect(longest).toBeGreaterThan(10_000);
  expect(longest).toBeLessThan(1_300_000);
});

/** An upper bound: every instruction of a function once, and of all that it calls without a charge. */
function longestFreeRun(module: WasmModule): number {
  const cutting = cuttingFunctions(module);
  const shapeOf = (type: number) => JSON.stringify(module.types[type]);
  const known = new Map<number, number>();
  const runOf = (index: number): number => {
    if (!known.has(index)) known.set(index, count(index));
    return known.get(index)!;
  };
  const freeCall = (callee: number) => {
    const index = callee - module.importedFunctions;
    return index < 0 || cutting.has(index) ? 0 : runOf(index);
  };
  const count = (index: number) => {
    let run = 0;
    for (const { opcode, operand } of bodyInstructions(module, module.bodies[index])) {
      run++;
      if (opcode === Op.call) run += freeCall(operand);
      if (opcode !== Op.callIndirect) continue;
      const callees = module.tableFunctions.filter((callee) => shapeOf(module.functions[callee]) === shapeOf(operand));
      run += Math.max(0, ...callees.map(freeCall));
    }
    return run;
  };
  return Math.max(...module.bodies.map((_, index) => runOf(index)));
}

test.each(scripts)('computes %s as the original does, for the same fuel each time', (_, script) => {
  const { text, fuel } = evaluate(metered, script);
  expect(text).toBe(evaluate(unmetered, script).text);
  expect(text).not.toMatch(/SyntaxError|ReferenceError/);
  expect(fuel).toBeGreaterThan(0);
  expect(evaluate(metered, script)).toEqual({ text, fuel });
});
