/**
 * Whatever strangers wrote, the terminal gets characters that show, and newlines: no colours, titles, clipboards or
 * turned lines.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSafetensors, writeSafetensors } from '../../src/lib/safetensors';
import { presetByName } from '../../src/config/presets';
import { encodeLink } from '../../src/share/link';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-terminal-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

/** A title, the clipboard, a cleared screen, a C1 control, a turned line and a line that looks like the host's. */
const hostile = '\x1b]0;PWNED\x07\x1b]52;c;cm0=\x07\x1b[2J\x9b31m\x7f\u202e\u2066\nDone: 100 %';
const shown = JSON.stringify(hostile);
const source = `
export const meta = { title: ${shown}, task: 'None.', watch: 'Nothing.', rewards: { score: { description: \
'Score.', weight: 1 } }, options: [],
  alphabet: '0123456789', outOfDistribution: ${shown}, examples: [] };
export const tools = [{ name: 'probe', description: 'Probe.', parameters: {}, execute: () => '1' }];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 99)) });
const next = ({ prompt }) => String(Number(prompt) + 1);
export const reward = ({ task, answer }) => ({ success: answer === next(task), score: Number(answer === next(task)) });
export const demonstrate = (task) => [{ answer: next(task) }];
export const policies = { [${shown}]: () => [{ answer: '1' }] };
`;
const { config: mini } = presetByName('calculator-mini');
const config = {
  ...mini,
  iterations: 1,
  environment: { name: 'hostile', options: {}, source },
  rewards: {},
  model: { ...mini.model, layers: 1, width: 32, mlpWidth: 32 },
  warmStart: { ...mini.warmStart, demonstrations: 0 },
  rollout: { ...mini.rollout, tasks: 2, group: 2, maxTurns: 1, maxTokens: 4 },
  evaluation: { tasks: 4, every: 1 },
};
writeFileSync(at('config.json'), JSON.stringify(config));

/** All that a command printed. */
async function printed(name: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await runCommand(name, ...args);
  return stdout + stderr;
}

function expectHarmless(text: string): void {
  expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
  expect(text, 'a stranger begins no line').not.toMatch(/^Done: 100 /m);
}

test('titles, splits, scripts, metadata, tensors and logs', { timeout: 300_000 }, async () => {
  const train = await printed('train', at('config.json'), '--out', at('run'));
  expect(train).toMatch(/Environment: .*PWNED/);
  expectHarmless(train);
  const evaluate = await printed('eval', at('run'), '--json');
  expect(evaluate).toMatch(/out of distribution \(.*PWNED/);
  expect(evaluate).toMatch(/by the script .*PWNED/);
  expectHarmless(evaluate);

  const { tensors, metadata } = readSafetensors(readFileSync(at('run/checkpoint.safetensors')));
  writeFileSync(at('version'), writeSafetensors({ tensors, metadata: { ...metadata, version: hostile } }));
  const odd = new TextEncoder().encode(
    JSON.stringify({ __metadata__: metadata, [hostile]: { dtype: hostile, shape: [], data_offsets: [0, 4] } }),
  );
  writeFileSync(at('tensor'), Buffer.concat([new Uint8Array(new BigUint64Array([BigInt(odd.length)]).buffer), odd]));
  for (const name of ['version', 'tensor']) {
    const text = await printed('eval', at(name));
    expect(text, name).toContain('PWNED');
    expectHarmless(text);
  }

  const [line] = readFileSync(at('run/trajectories.jsonl'), 'utf8').split('\n');
  for (const [key, value] of [
    ['index', hostile],
    ['group', hostile],
    ['taskId', hostile],
  ]) {
    writeFileSync(at('log.jsonl'), `${JSON.stringify({ ...JSON.parse(line), [key]: value })}\n`);
    for (const flags of [[], ['--json']]) expectHarmless(await printed('estimators', at('log.jsonl'), ...flags));
  }
});

test.each([
  ['the message of what it throws', `throw new Error(${shown})`],
  ['the name of what it throws', `const e = new Error('x'); e.name = ${shown}; throw e`],
  ['an option', source.replace('options: []', `options: [{ name: ${shown} }]`)],
  ['a key of its description', source.replace("task: 'None.'", `${shown}: 1`)],
  ['a key of a schema', source.replace('parameters: {}', `parameters: { ${shown}: 1 }`)],
])('a link: %s', async (_, wrong) => {
  const link = await encodeLink({
    preset: 'calculator-mini',
    engineVersion: hostile,
    shared: true,
    scalars: { [hostile]: hostile },
    source: wrong,
  });
  const text = await printed('train', link, '--out', at('never'));
  expect(text).toContain('PWNED');
  expectHarmless(text);
});
