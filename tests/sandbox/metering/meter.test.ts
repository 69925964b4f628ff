/** Each rule of the metering pass on modules made for it. */
import { describe, expect, test } from 'vitest';
import { meter } from '../../../src/sandbox/metering/meter';
import { Op } from '../../../src/sandbox/metering/instructions';
import { SectionId } from '../../../src/sandbox/metering/wasm-module';
import {
  add,
  block,
  br,
  brIf,
  brTable,
  buildModule,
  bump,
  call,
  callIndirect,
  get,
  i32,
  instantiate,
  loop,
  memoryCopy,
  memoryFill,
  memoryInit,
  number,
  ret,
  when,
  type Metered,
  type ModuleSpec,
} from './build-module';

const most = 0x7fff_ffff;
const metered = (spec: ModuleSpec): Metered => instantiate(meter(buildModule(spec)));

/** Fuel that a call burns; it must return. */
function burnt(instance: Metered, run: () => unknown): number {
  instance.fuel.value = most;
  run();
  return most - instance.fuel.value;
}

/** Runs what must trap, and says which counter stands beyond its limit. */
function trapOf(instance: Metered, run: () => unknown): 'fuel' | 'depth' | 'other' {
  expect(run).toThrow(WebAssembly.RuntimeError);
  const fuel = instance.fuel.value < 0;
  const depth = instance.depth.value > instance.depthLimit.value;
  expect(fuel && depth).toBe(false);
  return fuel ? 'fuel' : depth ? 'depth' : 'other';
}

/** Counts its parameter down to 0; the loop's header is met once a round. */
const countdown = { params: 1, code: loop(bump(0, -1), get(0), brIf(0)) };
/** Rounds of `$1`, each of `$0` inner rounds. */
const nested = {
  params: 2,
  locals: 1,
  code: loop(get(0), [0x21, 2], loop(bump(2, -1), get(2), brIf(0)), bump(1, -1), get(1), brIf(0)),
};

describe('loops', () => {
  test.each([1, 2, 1000])('%i rounds burn as much', (rounds) => {
    const instance = metered({ functions: [countdown] });
    expect(burnt(instance, () => instance.f0(rounds))).toBe(rounds);
  });

  test('nested loops burn the sum of their rounds', () => {
    const instance = metered({ functions: [nested] });
    expect(burnt(instance, () => instance.f0(7, 5))).toBe(5 + 5 * 7);
  });

  test('the last drop of fuel is enough, one less is not, and what is spent stays spent', () => {
    const instance = metered({ functions: [countdown] });
    instance.fuel.value = 10;
    instance.f0(10);
    expect(instance.fuel.value).toBe(0);
    instance.fuel.value = 9;
    for (let again = 0; again < 3; again++) {
      expect(trapOf(instance, () => instance.f0(10))).toBe('fuel');
      expect(instance.fuel.value).toBe(-1);
    }
  });

  test.each([-1, -0x8000_0000])('fuel of %i runs no loop and cannot wrap', (fuel) => {
    const instance = metered({ functions: [countdown] });
    instance.fuel.value = fuel;
    expect(trapOf(instance, () => instance.f0(1))).toBe('fuel');
    expect(instance.fuel.value).toBeLessThan(0);
  });

  test('one that never ends, does', () => {
    const instance = metered({ functions: [{ code: loop(br(0)) }] });
    instance.fuel.value = 1_000_000;
    expect(trapOf(instance, () => instance.f0())).toBe('fuel');
  });

  test('a way out through br_table burns no more than was run', () => {
    // Leaves both loops by label 2 when the counter is 0, the inner one by label 1 when it is 1, else goes on inside.
    const code = block(loop(loop(bump(0, -1), get(0), brTable(2, 1, 0))));
    const instance = metered({ functions: [{ params: 1, code }] });
    // Rounds of the inner loop with 4, 3, 2, then from the outer one with 1 and 0.
    expect(burnt(instance, () => instance.f0(5))).toBe(5 + 2);
  });

  test('a loop that takes values from the stack is charged like any', () => {
    const types = [3, 0x60, 1, i32, 1, i32, 0x60, 1, i32, 1, i32, 0x60, 0, 0];
    const code = [...get(0), Op.loop, 1, ...number(-1), ...add, Op.localTee, 0, ...get(0), ...brIf(0), Op.end];
    const instance = metered({ functions: [{ params: 1, results: 1, code }], sections: { [SectionId.type]: types } });
    expect(burnt(instance, () => expect(instance.f0(6)).toBe(0))).toBe(6);
  });

  test('code without a loop burns nothing', () => {
    const instance = metered({ functions: [{ params: 1, results: 1, code: [...get(0), ...number(1), ...add] }] });
    expect(burnt(instance, () => expect(instance.f0(41)).toBe(42))).toBe(0);
  });
});

/** Σ 1 … n by direct recursion, without a loop: leaves by `way` at 0 and otherwise by falling through. */
const recursive = (way: number[]) => ({
  params: 1,
  results: 1,
  locals: 2,
  code: [...get(0), 0x45, ...when(number(0), way), ...get(0), ...get(0), ...number(-1), ...add, ...call(0), ...add],
});
const frame = (values: number) => 64 + 8 * values;

describe('depth', () => {
  test.each<[string, number[]]>([
    ['return', ret],
    ['br to the function', br(1)],
    ['br_if to the function', [...number(1), ...brIf(1), 0x1a, ...br(0)]],
    ['br_table to the function', [...number(9), ...brTable(1, 1)]],
    ['return inside blocks', [0x1a, ...block(loop(block(number(0), ret)))]],
  ])('is balanced after a way out by %s', (_, way) => {
    const instance = metered({ functions: [recursive(way)] });
    expect(instance.f0(100)).toBe(5050);
    expect(instance.depth.value).toBe(0);
  });

  test('counts 64 and 8 per parameter and local, and the limit itself is allowed', () => {
    const instance = metered({ functions: [recursive(ret)] });
    instance.depthLimit.value = 11 * frame(3);
    expect(instance.f0(10)).toBe(55);
    expect(trapOf(instance, () => instance.f0(11))).toBe('depth');
    instance.depth.value = 0;
    expect(instance.f0(10)).toBe(55);
  });

  test('near its own end it does not wrap to below the limit', () => {
    const instance = metered({ functions: [recursive(ret)] });
    instance.depthLimit.value = most;
    instance.depth.value = most - frame(3) + 1;
    expect(() => instance.f0(0)).toThrow(WebAssembly.RuntimeError);
  });

  test('is not counted where nothing recurs', () => {
    const instance = metered({ functions: [{ code: call(1) }, { code: call(2) }, { code: loop() }] });
    instance.depthLimit.value = 0;
    expect(burnt(instance, () => instance.f0())).toBe(1);
  });

  test('mutual recursion is cut', () => {
    const instance = metered({
      functions: [{ code: call(1) }, { code: call(2) }, { code: call(0) }, { code: call(0) }],
    });
    instance.depthLimit.value = 100_000;
    expect(trapOf(instance, () => instance.f3())).toBe('depth');
  });

  test('recursion through the table is cut, and equal types with different indices are one', () => {
    const functions = [{ code: [...number(1), ...callIndirect(2)] }, { code: call(0) }, { code: [] }];
    const instance = metered({ functions, table: [2, 1] });
    instance.depthLimit.value = 100_000;
    expect(trapOf(instance, () => instance.f1())).toBe('depth');
  });

  test('a call through the table that cannot come back is not counted', () => {
    const functions = [
      { code: [...number(0), ...callIndirect(1)] },
      { code: loop() },
      { results: 1, code: [...number(7)] },
    ];
    const instance = metered({ functions, table: [1, 2] });
    instance.depthLimit.value = 0;
    expect(burnt(instance, () => instance.f0())).toBe(1);
  });

  test('shallow recursion of exponential length burns fuel', () => {
    const twice = [...get(0), ...when(get(0), number(-1), add, call(0), get(0), number(-1), add, call(0))];
    const instance = metered({ functions: [{ params: 1, code: twice }] });
    instance.depthLimit.value = 100_000;
    expect(burnt(instance, () => instance.f0(10))).toBe(2 ** 11 - 1);
    instance.fuel.value = 1_000_000;
    expect(trapOf(instance, () => instance.f0(60))).toBe('fuel');
  });
});

describe('bulk memory', () => {
  const functions = [
    { params: 3, code: [...get(0), ...get(1), ...get(2), ...memoryFill] },
    { params: 3, code: [...get(0), ...get(1), ...get(2), ...memoryCopy] },
    { params: 3, code: [...get(0), ...get(1), ...get(2), ...memoryInit] },
  ];
  const data = Array.from({ length: 64 }, (_, i) => i);
  const instance = metered({ functions, memory: [1], data });

  test.each([
    [0, 0],
    [15, 0],
    [16, 1],
    [1000, 62],
    [65536, 4096],
  ])('filling and copying %i bytes burns %i', (length, cost) => {
    expect(burnt(instance, () => instance.f0(0, 7, length))).toBe(cost);
    expect(burnt(instance, () => instance.f1(0, 0, length))).toBe(cost);
    expect(new Uint8Array(instance.memory.buffer).subarray(0, length).every((byte) => byte === 7)).toBe(true);
  });

  test('initialising burns by length, too', () => {
    expect(burnt(instance, () => instance.f2(100, 0, 64))).toBe(4);
    expect([...new Uint8Array(instance.memory.buffer, 100, 64)]).toEqual(data);
  });

  test('a length that cannot be paid moves nothing', () => {
    new Uint8Array(instance.memory.buffer).fill(0);
    instance.fuel.value = 61;
    expect(trapOf(instance, () => instance.f0(0, 7, 1000))).toBe('fuel');
    expect(new Uint8Array(instance.memory.buffer).every((byte) => byte === 0)).toBe(true);
  });

  test.each([-1, -0x8000_0000, 0x7fff_ffff])('the length %i, however often, never makes fuel', (length) => {
    for (let fuel: number = 100, again = 0; again < 40; again++) {
      instance.fuel.value = fuel;
      expect(trapOf(instance, () => instance.f0(0, 0, length))).toBe('fuel');
      expect((fuel = instance.fuel.value)).toBe(-1);
    }
    instance.fuel.value = most;
    expect(trapOf(instance, () => instance.f0(0, 0, length))).toBe('other');
    expect(most - instance.fuel.value).toBe((length >>> 0) >>> 4);
    instance.fuel.value = -0x8000_0000;
    expect(trapOf(instance, () => instance.f0(0, 0, length))).toBe('fuel');
  });
});

describe('memory', () => {
  /** Pages that can be asked for, one by one and from inside. */
  const grow = { params: 1, results: 1, code: [...get(0), 0x40, 0] };

  test('cannot grow beyond 64 MiB, from inside or outside', () => {
    const instance = metered({ functions: [grow], memory: [1] });
    expect(instance.f0(1024)).toBe(-1);
    expect(instance.f0(1023)).toBe(1);
    expect(instance.memory.buffer.byteLength).toBe(64 * 1024 * 1024);
    expect(() => instance.memory.grow(1)).toThrow(RangeError);
  });

  test('keeps a maximum that is lower', () => {
    const instance = metered({ functions: [grow], memory: [1, 3] });
    expect(instance.f0(3)).toBe(-1);
    expect(instance.f0(2)).toBe(1);
  });

  test('that starts above the maximum is refused', () => {
    expect(() => meter(buildModule({ functions: [grow], memory: [1025] }))).toThrow(/starts with 1025 pages/);
  });
});

describe('the rest of the module', () => {
  test('keeps its globals, exports and start function, which is charged', () => {
    const bytes = meter(
      buildModule({ functions: [{ code: loop(number(5), [Op.globalSet, 1]) }], globals: [3, 4], start: 0 }),
    );
    const instance = instantiate(bytes);
    expect([instance.g0.value, instance.g1.value]).toEqual([3, 5]);
    expect(most - instance.fuel.value).toBe(1);
    const names = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name);
    expect(names).toEqual(['f0', 'g0', 'g1', 'fuel', 'depth', 'depthLimit']);
  });

  test('loses custom sections, whose offsets would be wrong', () => {
    const plain = { functions: [countdown] };
    const custom = { ...plain, sections: { [SectionId.custom]: [1, 0x78, 1, 2, 3] } };
    expect(meter(buildModule(custom))).toEqual(meter(buildModule(plain)));
  });

  test('may be empty', () => {
    const instance = metered({ functions: [], sections: {} });
    expect([instance.fuel.value, instance.depth.value, instance.depthLimit.value]).toEqual([most, 0, most]);
  });
});

describe('what would escape the limits is refused:', () => {
  test('a section that comes twice', () => {
    const bytes = buildModule({ functions: [countdown], memory: [1] });
    expect(() => meter(Uint8Array.from([...bytes, SectionId.memory, 3, 1, 0, 9]))).toThrow(/section 5 twice/);
  });

  const nothing = { code: [] };
  const imports = (kind: number, ...rest: number[]) => ({
    functions: [nothing],
    sections: { [SectionId.import]: [1, 1, 0x6d, 1, 0x78, kind, ...rest] },
  });
  test.each<[string, ModuleSpec, RegExp]>([
    ['an imported memory', imports(2, 0, 1), /imports something other than functions and globals/],
    ['an imported table', imports(1, 0x70, 0, 1), /imports something other/],
    ['two memories', { functions: [nothing], sections: { [SectionId.memory]: [2, 0, 1, 0, 1] } }, /several memories/],
    ['a shared memory', { functions: [nothing], sections: { [SectionId.memory]: [1, 3, 1, 1] } }, /memory is shared/],
    [
      'a table filled by expressions',
      {
        functions: [nothing],
        table: [0],
        sections: { [SectionId.element]: [1, 4, ...number(0), Op.end, 1, 0xd2, 0, Op.end] },
      },
      /plain list/,
    ],
    [
      'a table of other things',
      { functions: [nothing], sections: { [SectionId.table]: [1, 0x6f, 0, 1] } },
      /something other than functions/,
    ],
    [
      'a write to a table',
      { functions: [{ code: [...number(0), 0xd0, 0x70, 0x26, 0] }], table: [0] },
      /instruction 0xd0/,
    ],
    ['table.grow', { functions: [{ code: [...number(0), 0xfc, 0x0f, 0] }], table: [0] }, /instruction 0xfc0f/],
    ['a tail call', { functions: [{ code: [0x12, 0] }] }, /instruction 0x12/],
    ['an exception', { functions: [{ code: [0x08, 0] }] }, /instruction 0x08/],
    ['a vector', { functions: [{ code: [0xfd, 0x0c] }] }, /instruction 0xfd/],
    ['a thread', { functions: [{ code: [0xfe, 0x03, 0] }] }, /instruction 0xfe/],
    ['recursion with several results', { functions: [{ results: 2, code: call(0) }] }, /several values/],
    [
      'a name that is taken',
      { functions: [nothing], sections: { [SectionId.export]: [1, 4, 0x66, 0x75, 0x65, 0x6c, 0, 0] } },
      /already exports "fuel"/,
    ],
    ['a section unknown', { functions: [nothing], sections: { 13: [0] } }, /section 13/],
    ['a call of nothing', { functions: [{ code: call(1) }] }, /function 1 does not exist/],
    ['a call through no type', { functions: [{ code: [...number(0), ...callIndirect(5)] }] }, /type 5 does not exist/],
    ['very many locals', { functions: [{ locals: 49_001, code: [] }] }, /49001 locals/],
  ])('%s', (_, spec, sentence) => {
    expect(() => meter(buildModule(spec))).toThrow(sentence);
  });
});
