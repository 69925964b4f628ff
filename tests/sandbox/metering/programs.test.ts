/** Metered and unmetered modules, and random call graphs, held against each other. */
import { expect, test } from 'vitest';
import { bits, Purpose } from '../../../src/lib/rng';
import { cuttingFunctions } from '../../../src/sandbox/metering/call-graph';
import { meter } from '../../../src/sandbox/metering/meter';
import { readModule } from '../../../src/sandbox/metering/wasm-module';
import { buildModule, call, callIndirect, instantiate, number, type Metered } from './build-module';
import { randomProgram } from './random-program';

const most = 0x7fff_ffff;

test('400 random programs give the same results with metering and burn the work that they count', () => {
  let worked = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const cutting = cuttingFunctions(readModule(buildModule(randomProgram(seed, new Set()))));
    const bytes = buildModule(randomProgram(seed, cutting));
    const outputs = meter(bytes);
    expect(meter(bytes)).toEqual(outputs);
    const plain = instantiate(bytes);
    const metered = instantiate(outputs);
    expect(outcome(metered, seed), `seed ${seed}`).toEqual(outcome(plain, seed));
    const work = metered.g0.value;
    expect(most - metered.fuel.value, `seed ${seed}`).toBe(work);
    expect(metered.depth.value).toBe(0);
    worked += work;
    if (work > 0) expect(stopsAt(outputs, seed, work - 1)).toBe(-1);
    expect(stopsAt(outputs, seed, work)).toBe(0);
  }
  expect(worked).toBeGreaterThan(100_000);
});

const outcome = (instance: Metered, seed: number) => ({
  result: instance.f0(2, seed),
  work: instance.g0.value,
  state: instance.g1.value,
  memory: new Uint8Array(instance.memory.buffer).join(),
});

/** Fuel left of so much, after the program ended or was stopped. */
function stopsAt(bytes: Uint8Array<ArrayBuffer>, seed: number, fuel: number): number {
  const instance = instantiate(bytes);
  instance.fuel.value = fuel;
  try {
    instance.f0(2, seed);
  } catch (error) {
    expect(error).toBeInstanceOf(WebAssembly.RuntimeError);
  }
  return instance.fuel.value;
}

test('500 random call graphs have no cycle without a cutting function', () => {
  let cut = 0;
  for (let seed = 1; seed <= 500; seed++) {
    let draws = 0;
    const below = (count: number) => bits(seed, Purpose.task, draws++) % count;
    const size = 2 + below(12);
    const table = Array.from({ length: below(5) }, () => below(size));
    const calls = Array.from({ length: size }, () => ({
      direct: Array.from({ length: below(3) }, () => below(size)),
      indirect: table.length > 0 && below(4) === 0,
    }));
    const functions = calls.map(({ direct, indirect }) => ({
      code: [...direct.flatMap(call), ...(indirect ? [...number(0), ...callIndirect(below(size))] : [])],
    }));
    const cutting = cuttingFunctions(readModule(buildModule({ functions, ...(table.length > 0 && { table }) })));
    cut += cutting.size;
    const callees = calls.map(({ direct, indirect }) => [...direct, ...(indirect ? table : [])]);
    // Taking away whoever calls only what is gone takes away all but cycles.
    const left = new Set([...callees.keys()].filter((index) => !cutting.has(index)));
    for (let before = -1; before !== left.size;) {
      before = left.size;
      for (const index of left) if (!callees[index].some((callee) => left.has(callee))) left.delete(index);
    }
    expect([...left], `seed ${seed}`).toEqual([]);
  }
  expect(cut).toBeGreaterThan(500);
});
