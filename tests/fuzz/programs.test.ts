/**
 * Programs of strangers, made at random, one after another in the same guest: each gets a verdict, the same one twice with the same fuel, and
 * leaves the guest as it was. And what ends by itself ends the same way in the engine as published.
 */
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { sdkSource } from '../../src/environments/built-in';
import { compileQuickJs } from '../../src/cli/quickjs';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { readCorpus } from '../attacks/corpus';
import { attackArgs, attackModule } from '../attacks/tool-item';
import { randomProgram } from './program-maker';
import { Choices, fullFuzz } from './random';
import { rawRun } from './raw-run';

const count = fullFuzz ? 20_000 : 1000;
const pairCount = fullFuzz ? 4000 : 200;
const fragments = readCorpus()
  .filter((item) => item.class !== 'share-link' && item.code.length < 4000)
  .map((item) => item.code);

let metered: WebAssembly.Module;
beforeAll(async () => {
  metered = await compileQuickJs();
});

test(
  `${count} random programs, mixed with attacks: a verdict each, twice the same, nothing left behind`,
  { timeout: 3_600_000 },
  async () => {
    const sandbox = new LocalSandbox({ binary: metered, sdk: sdkSource });
    await sandbox.load(attackModule('return Function("args", args.code)(args.args)', 'strict'));
    const ask = (tool: string, args: object, episode: number) => ({
      ...{ episode, seed: 1, method: 'execute' },
      args: { tool, arguments: { ...args }, task: null, state: null },
    });
    const [fresh] = await sandbox.call([ask('witness', { s: 'hi' }, 0)]);
    expect(fresh.kind).toBe('value');
    const kinds: Record<string, number> = { value: 0, error: 0, killed: 0 };
    const reasons: Record<string, number> = {};
    for (let seed = 0; seed < count; seed++) {
      const code = randomProgram(new Choices(seed), fragments);
      const attack = { code, args: attackArgs };
      const [first, second, after] = await sandbox.call([
        ask('attack', attack, 0),
        ask('attack', attack, 1),
        ask('witness', { s: 'hi' }, 2),
      ]);
      expect(second, `program ${seed}: ${code}`).toEqual(first);
      expect(after, `after program ${seed}: ${code}`).toEqual(fresh);
      kinds[first.kind]++;
      if (first.kind === 'killed') reasons[first.reason] = (reasons[first.reason] ?? 0) + 1;
    }
    if (fullFuzz) console.log(`${count} programs: ${JSON.stringify({ ...kinds, ...reasons })}`);
    // Programs that all end alike would find nothing.
    for (const [kind, number] of Object.entries(kinds)) expect(number, kind).toBeGreaterThan(count / 50);
  },
);

test(`${pairCount} random programs end alike in the metered engine and in the one that was published`, { timeout: 3_600_000 }, async () => {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  const published = await WebAssembly.compile(new Uint8Array(await readFile(path)));
  let compared = 0;
  for (let seed = 0; seed < pairCount; seed++) {
    const code = randomProgram(new Choices(-1 - seed), fragments);
    const ended = rawRun(metered, code);
    if (ended === null) continue;
    expect(rawRun(published, code), `program ${seed}: ${code}`).toBe(ended);
    compared++;
  }
  expect(compared).toBeGreaterThan(pairCount / 2);
});
