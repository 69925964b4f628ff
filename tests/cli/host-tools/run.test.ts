/** Runs whose environment asks the network: each answer is recorded, and the record stands for the network. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordName } from '../../../src/cli/host-tools/record';
import { RunFolder } from '../../../src/cli/run-folder';
import { presetByName } from '../../../src/config/presets';
import { runLink } from '../../../src/config/run-link';
import { readCheckpointHead } from '../../../src/rl/checkpoint';
import { runCommand } from '../../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-host-tools-'));
const at = (name: string) => join(folder, name);
let server: Server;
let asked = 0;

/** Half of the answers are worth something, so what the network says decides what is learned. */
const environment = `
export const meta = {
  title: 'Directory', task: 'Ask for a number.', watch: 'The calls.', options: [],
  alphabet: 'abcdefghijklmnopqrstuvwxyz0123456789 ', examples: [],
  rewards: { odd: { description: 'the number is odd', weight: 1 } },
  hostTools: [{
    name: 'look', description: 'Looks a name up.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  }],
};
export const tools = [];
export const tasks = (rng) => ({ prompt: 'ask ' + rng.pick(['ann', 'bob', 'eve']) + rng.integer(0, 99) });
export const reward = ({ steps }) => {
  const told = steps.flatMap(({ toolCalls }) => toolCalls).at(-1)?.result;
  const success = Number(told) % 2 === 1;
  return { success, odd: success ? 1 : 0 };
};
export const demonstrate = ({ prompt }) => [
  { calls: [{ name: 'look', arguments: { name: prompt.slice(4) } }] },
  { answer: 'a' },
];
`;

beforeAll(async () => {
  server = createServer((_, response) => {
    asked++;
    setTimeout(() => response.end(String(asked * 7)), (asked % 3) * 3);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(at('directory.js'), environment);
  writeFileSync(
    at('tools.mjs'),
    `export const look = async ({ name }, { signal }) => (await fetch('${address}/' + name, { signal })).text();`,
  );
  const mini = presetByName('calculator-mini').config;
  const { rewards: _rewards, ...rest } = {
    ...mini,
    iterations: 4,
    environment: { file: 'directory.js' },
    model: { ...mini.model, layers: 1, width: 32, mlpWidth: 32 },
    warmStart: { ...mini.warmStart, demonstrations: 64, steps: 150, batch: 16 },
    rollout: { ...mini.rollout, tasks: 2, group: 4, maxTurns: 3, maxTokens: 12 },
    evaluation: { tasks: 8, every: 2 },
  };
  writeFileSync(at('tiny.json'), JSON.stringify(rest));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const train = (...args: string[]) => runCommand('train', ...args);
const checkpoint = (name: string) => readFileSync(join(at(name), 'checkpoint.safetensors'));
const record = (name: string) =>
  readFileSync(join(at(name), recordName), 'utf8')
    .trim()
    .split('\n');

/** Trains, and copies the run's folder after each save. @returns names of the copies */
async function trainedWithCopies(name: string): Promise<string[]> {
  const copies: string[] = [];
  const write = Object.getOwnPropertyDescriptor(RunFolder.prototype, 'writeRecord')!.value as RunFolder['writeRecord'];
  const writes = vi.spyOn(RunFolder.prototype, 'writeRecord').mockImplementation(function (this: RunFolder, written) {
    write.call(this, written);
    copies.push(`${name}-${copies.length}`);
    cpSync(this.path, at(copies.at(-1)!), { recursive: true });
    rmSync(join(at(copies.at(-1)!), 'lock.json'));
  });
  const { code, stderr } = await train(at('tiny.json'), '--tools', at('tools.mjs'), '--out', at(name));
  writes.mockRestore();
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('To share the run, give away its folder');
  return copies;
}

test('a run is recorded: its record stands for the network, for another run and for one that goes on', async () => {
  const copies = await trainedWithCopies('live');
  const total = asked;
  expect(total).toBeGreaterThan(8);
  expect(record('live')).toHaveLength(total);

  const again = await train(at('tiny.json'), '--tools', at('live'), '--out', at('again'));
  expect(again.code, again.stderr).toBe(0);
  expect(checkpoint('again').equals(checkpoint('live'))).toBe(true);
  expect(new Set(record('again'))).toEqual(new Set(record('live')));

  const saved = copies.find((name) => readCheckpointHead(new Uint8Array(checkpoint(name))).progress.iteration === 1)!;
  expect(record(saved).length).toBeLessThan(total);
  const lost = await train('--resume', at(saved));
  expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('is not in the record of the host’s tools')]);
  cpSync(join(at('live'), recordName), join(at(saved), recordName));
  const resumed = await train('--resume', at(saved));
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(checkpoint(saved).equals(checkpoint('live'))).toBe(true);

  const evaluated = await runCommand('eval', at('live'), '--split', 'validation');
  expect(evaluated.code, evaluated.stderr).toBe(0);
  expect(asked, 'the network was asked by the first run alone').toBe(total);
});

test('without the tools there is a sentence, in the page’s words; a link is refused', async () => {
  const none = await train(at('directory.js'), '--out', at('none'));
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('look is a tool of the host (meta.hostTools)')]);
  const link = await runLink(presetByName('bandit').config, null);
  const linked = await train(link, '--tools', at('tools.mjs'), '--out', at('none'));
  expect([linked.code, linked.stderr]).toEqual([1, expect.stringContaining('--tools is refused for a link')]);
  for (const [tools, sentence] of [
    ['missing.mjs', 'there is no file'],
    ['directory.js', 'exports no function look, which meta.hostTools names'],
  ]) {
    const { code, stderr } = await train(at('directory.js'), '--tools', at(tools), '--out', at('none'));
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  }
  const useless = await train('bandit', '--tools', at('tools.mjs'), '--out', at('none'));
  expect([useless.code, useless.stderr]).toEqual([1, expect.stringContaining('names none in meta.hostTools')]);
});
