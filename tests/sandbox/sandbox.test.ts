import { describe, expect, test } from 'vitest';
import { maxJsonDepth } from '../../src/lib/json';
import { limits } from '../../src/sandbox/limits';
import { openLocal, probe, request, runProbe } from './open';

const fuel: unknown = expect.any(Number);
const text = (value: string) => ({ kind: 'value', value: { text: value }, fuel });

describe('determinism', () => {
  test('Math.random is a function of the request seed', async () => {
    const sandbox = await openLocal(probe('return [Math.random(), Math.random()].join()'));
    const first = await runProbe(sandbox, {}, 0, 5);
    expect(await runProbe(sandbox, {}, 9, 5)).toEqual(first);
    expect(await runProbe(sandbox, {}, 0, 6)).not.toEqual(first);
  });

  test('Math.random cannot be replaced, and is uniform', async () => {
    const sandbox = await openLocal(
      probe(
        'try { Math.random = () => 0.5 } catch {} const n = [0,0,0,0]; for (let i = 0; i < 4000; i++) ' +
          'n[Math.floor(Math.random() * 4)]++; return n.join()',
      ),
    );
    const verdict = await runProbe(sandbox);
    const counts = (verdict as unknown as { value: { text: string } }).value.text.split(',').map(Number);
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  test('the clock stands still, in UTC', async () => {
    const sandbox = await openLocal(
      probe(
        'const a = Date.now(); for (let i = 0; i < 1e5; i++); return [a, Date.now() - a, new ' +
          'Date().getTimezoneOffset(), new Date(2000, 0, 1).toISOString()].join()',
      ),
    );
    expect(await runProbe(sandbox)).toEqual(text('946684800000,0,0,2000-01-01T00:00:00.000Z'));
  });

  test('work is cut at the same iteration each time', async () => {
    const sandbox = await openLocal(probe("for (let i = 0; i < args.n; i++); return 'done'"));
    const kindOf = async (n: number) => (await runProbe(sandbox, { n })).kind;
    let [done, killed] = [2 ** 10, 2 ** 23];
    while (killed - done > 1) {
      const n = (done + killed) >> 1;
      if ((await kindOf(n)) === 'value') done = n;
      else killed = n;
    }
    for (let i = 0; i < 3; i++) expect([await kindOf(done), await kindOf(killed)]).toEqual(['value', 'killed']);
  });

  test('what is not deterministic is not there', async () => {
    const names = [
      'Atomics',
      'SharedArrayBuffer',
      'WeakRef',
      'FinalizationRegistry',
      'performance',
      'Intl',
      'WebAssembly',
      'queueMicrotask',
      'setTimeout',
      'console',
      'fetch',
      'std',
      'os',
    ];
    const sandbox = await openLocal(
      probe(`return ${JSON.stringify(names)}.filter((name) => name in globalThis).join()`),
    );
    expect(await runProbe(sandbox)).toEqual(text(''));
  });
});

describe('limits', () => {
  test('output may be 64 KiB of JSON, frame and all', async () => {
    const most = 65536 - JSON.stringify({ text: '' }).length;
    const letters = await openLocal(probe(`return 'x'.repeat(${most})`));
    expect(await runProbe(letters)).toEqual(text('x'.repeat(most)));
  });

  test.each([
    ['a letter too long', "'x'.repeat(65526)"],
    ['much longer', "'x'.repeat(1e5)"],
    ['longer in bytes, where a character has three', "'…'.repeat(21842)"],
  ])('output above that is an error, always of one sentence: %s', async (_, result) => {
    const sandbox = await openLocal(probe(`return ${result}`));
    expect(await runProbe(sandbox)).toMatchObject({
      kind: 'error',
      message: 'RangeError: a result is more than 65536 bytes of JSON; return less',
    });
  });

  test('input above the limit is an error', async () => {
    const sandbox = await openLocal(probe("return 'well'"));
    expect(await runProbe(sandbox, 'x'.repeat(limits.inputBytes))).toMatchObject({
      kind: 'error',
      message: expect.stringContaining('larger than 65536 bytes'),
    });
  });

  test('a long error message is cut', async () => {
    const sandbox = await openLocal(probe("throw new Error('x'.repeat(9999))"));
    expect((await runProbe(sandbox)) as { message: string }).toMatchObject({
      kind: 'error',
      message: 'Error: ' + 'x'.repeat(493),
    });
  });
});

describe('what environment code returns', () => {
  const refused = [
    [
      'a promise',
      'return Promise.resolve("x")',
      'TypeError: tool probe returned a promise; environment functions must be synchronous: write them ' +
        'without async and await',
    ],
    [
      'an async function',
      'return (async () => "x")()',
      'TypeError: tool probe returned a promise; environment functions must be synchronous: write them ' +
        'without async and await',
    ],
    [
      'a number',
      'return 3',
      'TypeError: tool probe returned 3; it must return text or { text, image, reward, state, done }',
    ],
    [
      'nothing',
      '',
      'TypeError: tool probe returned undefined; it must return text or { text, image, reward, state, done }',
    ],
    [
      'an inherited text',
      "return Object.create({ text: 'x' })",
      'TypeError: tool probe returned an object with nothing in it; it must return text or { text, image, ' +
        'reward, state, done }',
    ],
    [
      'a reward that is not finite',
      "return { text: 'x', reward: 1 / 0 }",
      'TypeError: tool probe returned Infinity as its reward; it must be a finite number',
    ],
    [
      'a state too deep to pass on',
      "let s = []; for (let i = 0; i < 300; i++) s = [s]; return { text: 'x', state: s }",
      `the result nests deeper than ${maxJsonDepth} levels`,
    ],
    ['a cycle', "const o = {}; o.o = o; return { text: 'x', state: o }", 'TypeError: circular reference'],
    ['a BigInt', "return { text: 'x', state: 1n }", 'TypeError: BigInt are forbidden in JSON.stringify'],
    [
      'an error whose message throws',
      'const e = new Error("x"); Object.defineProperty(e, "message", { get() { throw 1 } }); throw e',
      'threw something that cannot be shown',
    ],
    ['a thrown string', 'throw "boo"', 'threw boo'],
    ['a thrown object', 'throw { message: "boo" }', 'threw object'],
    [
      'a text that is an object',
      "return { text: new String('x') }",
      'TypeError: tool probe returned an object with text; it must return text or { text, image, reward, state, done }',
    ],
    [
      'a list',
      "return ['x']",
      'TypeError: tool probe returned an array; it must return text or { text, image, reward, state, done }',
    ],
    [
      'a function',
      'return () => "x"',
      'TypeError: tool probe returned a function; it must return text or { text, image, reward, state, done }',
    ],
    [
      'a thenable',
      "return { text: 'x', then() {} }",
      'TypeError: tool probe returned a promise; environment functions must be synchronous: write them ' +
        'without async and await',
    ],
    [
      'a reward that is text',
      "return { text: 'x', reward: '1' }",
      'TypeError: tool probe returned a string as its reward; it must be a finite number',
    ],
    [
      'a state with an infinite number',
      "return { text: 'x', state: [0, 1 / 0] }",
      'TypeError: a result holds a number that is not finite',
    ],
    ['a getter that throws', "return { get text() { throw new Error('no') } }", 'Error: no'],
    [
      'a proxy that throws',
      "return new Proxy({}, { getOwnPropertyDescriptor() { throw new Error('no') } })",
      'Error: no',
    ],
    [
      'a revoked proxy',
      'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy',
      'TypeError: revoked proxy',
    ],
    ['a state whose toJSON throws', "return { text: 'x', state: { toJSON() { throw new Error('no') } } }", 'Error: no'],
  ] as const;
  for (const [name, body, message] of refused) {
    test(`${name} is an error`, async () => {
      const verdict = await runProbe(await openLocal(probe(body)));
      expect(verdict).toMatchObject({ kind: 'error', message });
    });
  }

  const tricks = [
    ['toJSON of the result', "return { text: 'x', toJSON: () => ({ text: 'evil' }) }"],
    ['toJSON of every object', "Object.prototype.toJSON = () => ({ text: 'evil', reward: 9 }); return 'x'"],
    [
      'an inherited reward and state',
      "Object.prototype.reward = 9; Object.prototype.state = 'evil'; return { text: 'x' }",
    ],
    [
      'inherited setters',
      "Object.defineProperty(Object.prototype, 'text', { set() {}, get: () => 'evil', configurable: true }); " +
        "return Object.defineProperty({}, 'text', { value: 'x' })",
    ],
    ['a getter that changes its mind', "let n = 0; return { get text() { return n++ === 0 ? 'x' : 'evil' } }"],
    ['a proxy', "return new Proxy({ text: 'x' }, {})"],
    [
      'replaced built-ins',
      'JSON.stringify = () => \'"evil"\'; Object.hasOwn = () => true; Number.isFinite = () => true; return { ' +
        "text: 'x' }",
    ],
    [
      'replaced methods',
      "Array.prototype.join = String.prototype.slice = Function.prototype.call = () => 'evil'; return 'x'",
    ],
  ] as const;
  for (const [name, body] of tricks) {
    test(`${name} does not change what the host reads`, async () => {
      expect(await runProbe(await openLocal(probe(body)))).toEqual(text('x'));
    });
  }

  test('a key __proto__ is a key like any other', async () => {
    const sandbox = await openLocal(probe('return { text: \'x\', state: JSON.parse(\'{"__proto__":{"reward":9}}\') }'));
    const verdict = await runProbe(sandbox);
    const { state } = (verdict as unknown as { value: { state: object } }).value;
    expect(Object.getOwnPropertyNames(state)).toEqual(['__proto__']);
    expect('reward' in state).toBe(false);
    expect('reward' in {}).toBe(false);
  });

  test('text, process reward and state pass; other properties do not', async () => {
    const sandbox = await openLocal(
      probe("return { text: 'x', reward: 0.5, state: { n: (context.state?.n ?? 0) + 1 }, done: true, more: 1 }"),
    );
    expect(await runProbe(sandbox)).toMatchObject({
      kind: 'value',
      value: { text: 'x', reward: 0.5, state: { n: 1 }, done: true },
    });
  });

  test('reward terms must be declared and finite, and success is said', async () => {
    const sandbox = await openLocal(probe('return ""'));
    const ask = async (answer: string) =>
      (await sandbox.call([request('reward', { task: null, answer, steps: [] })]))[0];
    expect(await ask('1')).toMatchObject({ kind: 'value', value: { terms: { score: 1 }, success: true } });
    expect(await ask('0.5')).toMatchObject({ kind: 'value', value: { terms: { score: 0.5 }, success: false } });
    expect(await ask('many')).toMatchObject({
      kind: 'error',
      message: 'TypeError: reward returned NaN for score; it must be a finite number',
    });
  });

  test('an unknown tool or method is an error', async () => {
    const sandbox = await openLocal(probe('return ""'));
    const verdicts = await sandbox.call([
      request('execute', { tool: 'other', arguments: {} }),
      request('constructor', null),
      request('demonstrate', { task: null }),
    ]);
    expect(verdicts).toMatchObject([
      { kind: 'error', message: 'TypeError: there is no tool other' },
      { kind: 'error', message: 'TypeError: there is no method constructor' },
      {
        kind: 'error',
        message: expect.stringContaining('exports no demonstrate; export one, or train without imitation: --scratch'),
      },
    ]);
  });
});

describe('episodes', () => {
  test('nothing survives an episode: globals, module state, changed built-ins', async () => {
    const sandbox = await openLocal(
      probe(
        'count++; globalThis.leak = (globalThis.leak ?? 0) + 1; Array.prototype.mark = true; return [count, ' +
          'leak, [].mark].join()',
        'let count = 0;',
      ),
    );
    const ask = (episode: number) => request('execute', { tool: 'probe', arguments: {} }, episode);
    expect(await sandbox.call([ask(0), ask(1), ask(0), ask(2)])).toEqual(
      ['1,1,true', '1,1,true', '2,2,true', '1,1,true'].map(text),
    );
    expect(await sandbox.call([ask(0)])).toEqual([text('1,1,true')]);
  });

  test('memory that an episode grew is given back', async () => {
    const sandbox = await openLocal(
      probe('const kept = new Uint8Array(args.bytes); kept[args.bytes - 1] = 7; return String(kept.length)'),
    );
    for (let episode = 0; episode < 100; episode++) {
      expect(await runProbe(sandbox, { bytes: episode % 2 ? 10 : 16e6 }, episode)).toEqual(
        text(episode % 2 ? '10' : '16000000'),
      );
    }
  });

  test('an episode that grew the memory leaves no trace in the fuel of the next', async () => {
    const sandbox = await openLocal(
      probe('const kept = new Uint8Array(args.bytes); return String(kept.length + Math.random())'),
    );
    const before = await runProbe(sandbox, { bytes: 1000 });
    await runProbe(sandbox, { bytes: 16e6 });
    expect(await runProbe(sandbox, { bytes: 1000 })).toEqual(before);
  });

  test('jobs left behind never run', async () => {
    const sandbox = await openLocal(
      probe('Promise.resolve().then(() => { globalThis.late = true }); return String(globalThis.late)'),
    );
    const ask = () => request('execute', { tool: 'probe', arguments: {} });
    expect(await sandbox.call([ask(), ask()])).toEqual([text('undefined'), text('undefined')]);
  });
});

describe('loading', () => {
  const broken = [
    [
      'a syntax error names its line',
      'export const a = 1;\nexport const = 2;',
      /^The environment cannot be loaded: SyntaxError: .*\(environment\.js:2:\d+\)\.$/,
    ],
    [
      'an exception names its line',
      '\n\nnull.x',
      /^The environment cannot be loaded: TypeError: .*\(environment\.js:3:\d+\)\.$/,
    ],
    ['a missing export is named', 'export const meta = { rewards: { a: {} } };', /must export tools/],
    ['only agentlet can be imported', "import 'fs'", /ReferenceError: could not load module 'fs'/],
    ['top-level await is refused', 'await new Promise(() => {})', /top-level await is not supported/],
    ['an endless loop is stopped', 'for (;;);', /it was stopped \(fuel\)/],
    ['a memory bomb is stopped', 'const a = []; for (;;) a.push(new ArrayBuffer(4e6))', /it was stopped \(memory\)/],
    ['too much code is refused', `/*${'x'.repeat(limits.codeBytes)}*/`, /is 65540 bytes of code; the most is 65536/],
  ] as const;
  for (const [name, source, message] of broken) {
    test(name, async () => {
      await expect(openLocal(source)).rejects.toThrow(message);
    });
  }

  test('a failed load leaves no environment that pretends to work', async () => {
    const sandbox = await openLocal(probe('return "old"'));
    await expect(sandbox.load('for (;;);')).rejects.toThrow('stopped (fuel)');
    await expect(runProbe(sandbox)).rejects.toThrow('before load');
  });
});
