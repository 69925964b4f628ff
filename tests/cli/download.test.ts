/** `download`: a model is fetched, kept, trained offline, resumed and deleted; the bill is said before. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readCheckpointHead } from '../../src/rl/checkpoint';
import { runCommand } from '../helpers/command';
import { hubCommit, hubModel, openHub, type TestHub } from '../helpers/hub';
import { writeTinyPretrained } from '../helpers/tiny-pretrained';

const scratch = mkdtempSync(join(tmpdir(), 'agentlet-download-'));
const at = (name: string) => join(scratch, name);
const source = writeTinyPretrained(at('tiny-qwen3'));
const before = process.env.XDG_CACHE_HOME;
const models = join(scratch, 'cache/agentlet/models');
let hub: TestHub;

beforeAll(async () => {
  process.env.XDG_CACHE_HOME = at('cache');
  hub = await openHub(source);
});
afterAll(async () => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
  rmSync(scratch, { recursive: true, force: true });
});

const settings =
  'tasks=2 group=4 turns=3 evalTasks=4 evalEvery=3 lr=1e-2 overlong=1 overlongFrom=1 overlongBuffer=300 ' +
  'rank=4 alpha=8 demos=4 warm=2 warmBatch=2';
const run = ['calculator', '--iterations', '3', '--device', 'cpu', ...settings.split(' ').flatMap((s) => ['--set', s])];
const train = async (model: string, name: string) => {
  const { code, stdout, stderr } = await runCommand('train', ...run, '--model', model, '--json', '--out', at(name));
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as { fingerprint: string };
};

test('a model that is not there is named with the command that fetches it, and nothing is asked', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  const { code, stderr } = await runCommand('train', ...run, '--model', hubModel);
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(code).toBe(1);
  expect(stderr).toContain(`no model of that name was downloaded: npm run download -- ${hubModel} fetches it.`);
});

test('--bill says what it costs and keeps nothing', async () => {
  const { code, stderr } = await runCommand('download', hubModel, '--hub', hub.address, '--bill');
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/^tiny\/qwen3 at c0ffee/);
  expect(stderr).toMatch(
    /\nTo fetch: [\d.]+ kB\.\nLicence: apache-2\.0\.\nMemory: .*\(weights .*\)\.\n(Up to \d+ rollouts|That does not fit)/,
  );
  expect(stderr).toMatch(/An iteration: about .* on CPU .* if a rollout has 512 tokens/);
  expect(existsSync(models)).toBe(false);
  const other = await runCommand('download', hubModel, '--hub', hub.address, '--bill', '--preset', 'shop');
  expect(other.stderr).not.toBe(stderr);
});

test('downloaded over a bad line, it trains with the hub gone, with the bits of its folder', async () => {
  hub.faults = { drop: 20_000 };
  const { code, stderr } = await runCommand('download', hubModel, '--hub', hub.address);
  expect(code, stderr).toBe(0);
  await hub.close();
  const listed = await runCommand('download');
  expect(listed.stdout).toMatch(new RegExp(`^${hubModel} at ${hubCommit}: [\\d.]+ kB, licence apache-2\\.0\n$`));
  const [byName, byFolder] = [await train(hubModel, 'by-name'), await train(source, 'by-folder')];
  const { config, progress } = readCheckpointHead(readFileSync(join(at('by-name'), 'checkpoint.safetensors')));
  expect(config.model.pretrained).toMatchObject({ name: hubModel, revision: hubCommit });
  expect(progress.iteration).toBe(3);
  expect(byName.fingerprint).toBe(byFolder.fingerprint);
});

test('stopped half-way and resumed by name it has the same bits', async () => {
  const args = ['train', ...run, '--model', hubModel, '--out', at('half')];
  const child = spawn('node', ['src/cli/main.mjs', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const isSaid = said.includes('unseen tasks');
    said += chunk.toString();
    if (!isSaid && said.includes('unseen tasks')) child.kill('SIGINT');
  });
  expect(await new Promise((resolve) => child.on('close', resolve)), said).toBe(130);
  const progress = (name: string) =>
    readCheckpointHead(readFileSync(join(at(name), 'checkpoint.safetensors'))).progress;
  expect(progress('half').iteration).toBeLessThan(3);
  const { code, stderr } = await runCommand('train', '--resume', at('half'), '--model', hubModel);
  expect(code, stderr).toBe(0);
  expect(progress('half').fingerprint).toEqual(progress('by-name').fingerprint);
});

test('config prints the bill beside the config', async () => {
  const { code, stdout, stderr } = await runCommand('config', 'bandit', '--model', hubModel);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ environment: { name: 'bandit' } });
  expect(stderr).toMatch(/Licence: apache-2\.0\.\nMemory: /);
});

test('it is deleted, and then it is not there', async () => {
  expect((await runCommand('download', hubModel, '--delete')).code).toBe(0);
  expect((await runCommand('download')).stdout).toBe('');
  const again = await runCommand('download', hubModel, '--delete');
  expect(again.stderr).toContain(`No model ${hubModel} is kept in`);
});
