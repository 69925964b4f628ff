/**
 * Programs of strangers, made at random, one after another in the same guest: each gets a verdict, the same one twice
 * with the same fuel, and leaves the guest as it was. And what ends by itself ends the same way in the engine as
 * published.
 */
import { beforeAll, expect, test } from 'vitest';
import { sdkSource } from '../../src/environments/built-in';
import { compileQuickJs, readQuickJs } from '../../src/cli/quickjs';
import { limits } from '../../src/sandbox/limits';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { readCorpus } from '../attacks/corpus';
import { attackArgs, attackModule } from '../attacks/tool-item';
import { evaluate } from '../sandbox/metering/raw-engine';
import { randomProgram } from './program-maker';
import { Choices, fullFuzz } from './random';

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
      episode,
      seed: 1,
      method: 'execute',
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

test(
  `${pairCount} random programs end alike in the metered engine and in the one that was published`,
  { timeout: 3_600_000 },
  async () => {
    const published = await WebAssembly.compile(await readQuickJs());
    let compared = 0;
    for (let seed = 0; seed < pairCount; seed++) {
      const code = randomProgram(new Choices(-1 - seed), fragments);
      const script = showing(code);
      const ended = endOf(script);
      if (ended === null) continue;
      expect(evaluate(published, script).text, `program ${seed}: ${code}`).toBe(ended);
      compared++;
    }
    expect(compared).toBeGreaterThan(pairCount / 2);
  },
);

/** A script whose value is the text of what a program gives or throws. */
const showing = (body: string) =>
  `(function(){try{const r=(function(args){${body}\n})({x:1,s:'hi',list:[1,2]});return typeof ` +
  `r+JSON.stringify(r)+String(r)}catch(e){return 'threw '+e}})()`;

/** What the script ends with in the metered engine, or null if it was stopped. */
function endOf(script: string): string | null {
  try {
    return evaluate(metered, script, { fuel: 5_000_000, depth: limits.depth }).text;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return null;
    throw error;
  }
}
