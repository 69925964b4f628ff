/**
 * Every way in which a guest can be stopped, with the limit it names; and that what is counted is work: the same twice,
 * anywhere.
 */
import { describe, expect, test } from 'vitest';
import { fuelLimits, type KillReason, type Verdict } from '../../src/agent/sandbox';
import { compileQuickJs } from '../../src/cli/quickjs';
import { limits } from '../../src/sandbox/limits';
import { GuestStopped, QuickJs } from '../../src/sandbox/quickjs';
import { openLocal, probe, request, runProbe } from './open';

const attacks: readonly (readonly [reason: KillReason, name: string, body: string])[] = [
  ['fuel', 'a loop of bytecode', 'for (;;);'],
  ['fuel', 'a loop that catches everything', 'for (;;) try { for (;;); } catch {}'],
  ['fuel', 'a loop that never leaves finally', 'for (;;) try { null.x } finally { continue }'],
  ['fuel', 'Array.prototype.fill', 'new Array(1e8).fill(0)'],
  ['fuel', 'Float64Array.prototype.fill', 'const a = new Float64Array(3e6); for (;;) a.fill(1.5)'],
  ['fuel', 'Array.prototype.sort', 'const a = Array.from({ length: 1e4 }, (_, i) => -i); for (;;) a.sort()'],
  ['fuel', 'Float64Array.prototype.sort', 'const a = new Float64Array(1e5).map((_, i) => -i); for (;;) a.sort()'],
  ['fuel', 'Array.prototype.join', "return new Array(1e8).join('')"],
  ['fuel', 'String.prototype.repeat', "for (;;) 'ab'.repeat(1e6)"],
  ['fuel', 'String.prototype.indexOf', "const s = 'a'.repeat(1e5); for (;;) s.indexOf('b')"],
  ['fuel', 'BigInt multiplication', 'let n = 3n; for (;;) n *= n'],
  ['fuel', 'BigInt to text', 'return (2n ** 1000000n).toString()'],
  ['fuel', 'JSON.parse', "const s = `[${'1,'.repeat(1e5)}1]`; for (;;) JSON.parse(s)"],
  ['fuel', 'JSON.stringify', 'const a = new Array(1e4).fill(1); for (;;) JSON.stringify(a)'],
  ['fuel', 'a catastrophic regular expression', "return String(/(a+)+b/.test('a'.repeat(40)))"],
  ['fuel', 'garbage without end', 'for (;;) new Array(100)'],
  ['depth', 'recursion', 'return (function f() { return f() })()'],
  ['depth', 'recursion that catches everything', '(function f() { try { f() } catch { f() } })()'],
  ['depth', 'recursion through a native function', 'const f = () => [1].map(f); return f()'],
  ['depth', 'a getter of itself', 'const o = { get a() { return this.a } }; o.a'],
  ['depth', 'nested proxies', 'let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); return String(p.x)'],
  ['depth', 'nested JSON', "return String(JSON.parse('['.repeat(1e4) + ']'.repeat(1e4)).length)"],
  ['depth', 'nested source text', "return String(eval('('.repeat(1e4) + '1' + ')'.repeat(1e4)))"],
  ['memory', 'one allocation', 'new ArrayBuffer(1e9)'],
  [
    'stack',
    'frames of many variables',
    "const names = Array.from({ length: 500 }, (_, i) => 'v' + i); return eval(`(function f() { var " +
      '${names}; f() })`)()',
  ],
];

describe('verdicts', () => {
  for (const [reason, name, body] of attacks) {
    test(`${name}: killed for ${reason}, with the same fuel each time, and the next episode is well`, async () => {
      const source = probe(`if (args.attack) { ${body} } return 'well'`);
      const sandbox = await openLocal(source);
      const first = await runProbe(sandbox, { attack: true });
      expect(first).toMatchObject({ kind: 'killed', reason });
      if (reason === 'fuel') expect(first.fuel).toBe(fuelLimits.call);
      const well = await runProbe(sandbox);
      expect(well).toMatchObject({ kind: 'value', value: { text: 'well' } });
      expect(await runProbe(sandbox, { attack: true })).toEqual(first);
      expect(await runProbe(await openLocal(source), { attack: true })).toEqual(first);
      expect(await runProbe(await openLocal(source))).toEqual(well);
    });
  }

  test('an engine that goes wrong traps, and its guest can be restored', async () => {
    const engine = new QuickJs(await compileQuickJs(), new Map());
    engine.refuel(limits.loadFuel);
    const echo = engine.property(engine.evaluateModule('export const echo = (text) => text', 'echo.js'), 'echo');
    const atRest = engine.snapshot();
    let stopped: unknown;
    try {
      engine.callText(0x7ffffff8, 'no function is here');
    } catch (error) {
      stopped = error;
    }
    expect(stopped).toBeInstanceOf(GuestStopped);
    expect((stopped as GuestStopped).reason).toBe('trap');
    engine.restore(atRest);
    expect(engine.callText(echo, 'well')).toBe('well');
  });

  test('many allocations reach the limit of memory if there is fuel for filling it', async () => {
    const sandbox = await openLocal(probe('const kept = []; for (;;) kept.push(new ArrayBuffer(4e6))'));
    const ask = { ...request('execute', { tool: 'probe', arguments: {} }), fuel: fuelLimits.request };
    const [verdict] = await sandbox.call([ask]);
    expect(verdict).toMatchObject({ kind: 'killed', reason: 'memory' });
    expect(await sandbox.call([ask])).toEqual([verdict]);
  });

  test('full memory is an error that the tool may catch, the same each time', async () => {
    const body = 'try { new ArrayBuffer(1e9) } catch (error) { return String(error) }';
    const sandbox = await openLocal(probe(body));
    const verdict = await runProbe(sandbox);
    expect(verdict).toMatchObject({ kind: 'value', value: { text: 'InternalError: out of memory' } });
    expect(await runProbe(sandbox)).toEqual(verdict);
  });

  test('recursion of 400 calls is well below the limit', async () => {
    const sandbox = await openLocal(
      probe('const sum = (n) => (n === 0 ? 0 : n + sum(n - 1)); return String(sum(400))'),
    );
    expect(await runProbe(sandbox)).toMatchObject({ kind: 'value', value: { text: '80200' } });
  });
});

describe('fuel', () => {
  const work = probe("for (let i = 0; i < args.n; i++); return 'done'");
  const ask = (n: number, fuel?: number, episode = 0) => ({
    ...request('execute', { tool: 'probe', arguments: { n } }, episode),
    ...(fuel !== undefined && { fuel }),
  });

  test('it grows with the work', async () => {
    const sandbox = await openLocal(work);
    const [small, large] = await sandbox.call([ask(1000, undefined, 0), ask(21_000, undefined, 1)]);
    expect(large.fuel - small.fuel).toBeGreaterThan(20_000);
    expect(large.fuel).toBeLessThan(fuelLimits.call);
  });

  test('a request is stopped at what it brings, at most 20 M', async () => {
    const sandbox = await openLocal(work);
    const fuels = [0, 50_000, undefined, fuelLimits.request, 10 * fuelLimits.request];
    const verdicts = await sandbox.call(fuels.map((fuel, episode) => ask(1e9, fuel, episode)));
    expect(verdicts).toEqual(
      [0, 50_000, 2e6, 20e6, 20e6].map((fuel): Verdict => ({ kind: 'killed', reason: 'fuel', fuel })),
    );
  });

  test('reward has the limit of a call, other requests the larger one', async () => {
    const source = probe("return ''", 'const burn = () => { for (;;); };')
      .replace("({ answer }) => ({ success: answer === '1', score: Number(answer) })", 'burn')
      .concat('export const demonstrate = burn;');
    const sandbox = await openLocal(source);
    const verdicts = await sandbox.call([
      request('reward', { task: null, answer: '1', steps: [] }, 0),
      request('demonstrate', { task: null }, 1),
    ]);
    expect(verdicts).toEqual([
      { kind: 'killed', reason: 'fuel', fuel: fuelLimits.call },
      { kind: 'killed', reason: 'fuel', fuel: fuelLimits.request },
    ]);
  });

  test('each request counts from zero: one that went before does not shorten it', async () => {
    const sandbox = await openLocal(work);
    const verdicts = await sandbox.call([ask(50_000), ask(50_000), ask(1e9), ask(50_000)]);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['value', 'value', 'killed', 'value']);
    expect(Math.abs(verdicts[1].fuel - verdicts[0].fuel)).toBeLessThan(0.05 * verdicts[0].fuel);
  });

  test('the verdict of an episode does not depend on the episodes around it', async () => {
    const source = probe(
      'const kept = globalThis.kept ??= []; kept.push(new Array(args.n).fill({})); return String(kept.length)',
    );
    const sandbox = await openLocal(source);
    const [alone] = await sandbox.call([ask(5000, undefined, 3)]);
    const crowd = await sandbox.call([
      ask(9, undefined, 1),
      ask(70_000, undefined, 2),
      ask(1e9, undefined, 4),
      ask(5000, undefined, 3),
    ]);
    expect(crowd[3]).toEqual(alone);
    expect((await sandbox.call([ask(5000, undefined, 3)]))[0]).toEqual(alone);
  });

  test('a module burns its own 20 M while it loads', async () => {
    await expect(openLocal(probe("return ''", 'for (let i = 0; i < 1e9; i++);'))).rejects.toThrow(
      'it was stopped (fuel)',
    );
    await openLocal(probe("return ''", 'for (let i = 0; i < 1e6; i++);'));
  });
});
