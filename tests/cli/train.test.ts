/**
 * The terminal commands on a tiny run: files, the JSON line, the same bytes twice, Ctrl-C and resume, and sentences for
 * mistakes.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test, vi } from 'vitest';
import { FolderLock } from '../../src/cli/folder-lock';
import { RunFolder } from '../../src/cli/run-folder';
import { presetByName } from '../../src/config/presets';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mini = presetByName('calculator-mini').config;
const config = {
  ...mini,
  iterations: 4,
  model: { ...mini.model, layers: 1, width: 32, mlpWidth: 32 },
  warmStart: { ...mini.warmStart, demonstrations: 16, steps: 4, batch: 8 },
  rollout: { ...mini.rollout, tasks: 2, group: 4, maxTurns: 2, maxTokens: 8 },
  evaluation: { tasks: 8, every: 2 },
};
const file = join(folder, 'tiny.json');
writeFileSync(file, JSON.stringify(config));

/** A command in a process of its own, as a person starts it. */
const command = (...args: string[]) => promisify(execFile)('node', ['src/cli/main.mjs', ...args], { encoding: 'utf8' });

/** Standard output of the same command in this process. */
async function inProcess(name: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(name, ...args);
  expect(code, stderr).toBe(0);
  return stdout;
}

const bytes = (name: string) => readFileSync(join(folder, name, 'checkpoint.safetensors'));
const lines = (name: string, log: string) =>
  readFileSync(join(folder, name, log), 'utf8')
    .trim()
    .split('\n');

test('train writes its files and JSON line, twice the same bytes; eval, a link and resume agree', async () => {
  const training = (name: string) => [file, '--json', '--seed', '7', '--out', join(folder, name)];
  const first = JSON.parse((await command('train', ...training('a'))).stdout.trim().split('\n').at(-1)!);
  const second = JSON.parse(await inProcess('train', ...training('b')));
  expect(first).toMatchObject({ preset: null, seed: 7, iterations: 4 });
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining([
      'preset',
      'seed',
      'iterations',
      'success',
      'sampleTokensPerSecond',
      'trainTokensPerSecond',
      'fingerprint',
      'link',
      'seconds',
    ]),
  );
  for (const part of ['start', 'warm', 'end']) expect(first.success[part]).toBeTypeOf('number');
  expect(second.fingerprint).toBe(first.fingerprint);
  expect(bytes('b').equals(bytes('a')), 'checkpoints are equal byte for byte').toBe(true);
  expect(lines('a', 'metrics.jsonl').map((line) => JSON.parse(line).iteration)).toEqual([1, 2, 3, 4]);
  expect(lines('a', 'warm-start.jsonl').map((line) => JSON.parse(line))).toEqual([
    { step: 4, loss: expect.any(Number), skipped: 0 },
  ]);
  expect(lines('a', 'trajectories.jsonl').length).toBe(4 * 8);
  expect(JSON.parse(readFileSync(join(folder, 'a', 'run.json'), 'utf8'))).toMatchObject({
    config: { ...config, seed: 7 },
    success: first.success,
  });

  const evaluated = JSON.parse(await inProcess('eval', join(folder, 'a'), '--json'));
  expect(evaluated).toMatchObject({
    success: first.success.end,
    solvedOnce: first.success.end,
    split: 'validation',
    samples: 1,
    temperature: 0,
  });
  const out = join(folder, 'episodes.jsonl');
  const several = [
    '--split',
    'train',
    '--samples',
    '3',
    '--tasks',
    '5',
    '--temperature',
    '0.7',
    '--out',
    out,
    '--json',
  ];
  const sampled = JSON.parse(await inProcess('eval', join(folder, 'a'), ...several));
  expect(sampled).toMatchObject({ split: 'train', samples: 3, tasks: 5, temperature: 0.7, outOfDistribution: null });
  const episodes = readFileSync(out, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(episodes.map(({ split, group, index }) => [split, group, index])).toEqual(
    Array.from({ length: 15 }, (_, i) => ['train', Math.floor(i / 3), i]),
  );
  expect(episodes.filter(({ success }) => success).length / 15).toBe(sampled.success);
  expect(sampled.solvedOnce).toBeGreaterThanOrEqual(sampled.success);
  expect(evaluated.solvedByCalls.reduce((sum: number, solved: number) => sum + solved, 0)).toBe(8 * evaluated.success);

  const link = readFileSync(join(folder, 'a', 'link.txt'), 'utf8').trim();
  const third = await inProcess('train', link, '--json', '--out', join(folder, 'c'));
  expect(JSON.parse(third).fingerprint, 'the link repeats the run').toBe(first.fingerprint);
});

test('a user’s environment trains from its file, and again from its link: the same config and bits', async () => {
  const trainInto = async (name: string, ...args: string[]) =>
    JSON.parse(await inProcess('train', ...args, '--json', '--out', join(folder, name)));
  const small = [
    'layers=1',
    'width=32',
    'ff=32',
    'demos=16',
    'warm=4',
    'warmBatch=8',
    'tasks=2',
    'group=4',
    'turns=2',
    'tokens=8',
  ];
  const set = [...small, 'evalTasks=8', 'rewards.asked=0.5', 'opt.shelves=2'].flatMap((each) => ['--set', each]);
  const first = await trainInto('own', 'tests/helpers/shop.js', '--iterations', '2', '--device', 'cpu', ...set);
  const again = await trainInto('own-again', readFileSync(join(folder, 'own', 'link.txt'), 'utf8').trim());
  expect(again).toMatchObject({ preset: null, fingerprint: first.fingerprint, success: first.success });
  const configs = ['own', 'own-again'].map(
    (name) => JSON.parse(readFileSync(join(folder, name, 'run.json'), 'utf8')).config,
  );
  expect(configs[0]).toMatchObject({
    environment: { name: 'shop', options: { shelves: 2 } },
    rewards: { sold: 1, asked: 0.5 },
  });
  expect(configs[1]).toEqual(configs[0]);
});

test('Ctrl-C leaves a checkpoint that --resume continues to the same bytes', async () => {
  const child = spawn(
    'node',
    ['src/cli/main.mjs', 'train', file, '--seed', '7', '--iterations', '4', '--out', join(folder, 'd')],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  let interrupted = false;
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (interrupted || !said.includes('unseen tasks')) return;
    interrupted = true;
    child.kill('SIGINT');
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  expect(said).toContain('--resume');
  expect(code).toBe(130);
  expect(existsSync(join(folder, 'd', 'metrics.jsonl')) ? lines('d', 'metrics.jsonl').length : 0).toBeLessThan(4);
  expect(existsSync(join(folder, 'd', 'lock.json')), 'Ctrl-C releases the folder').toBe(false);
  const lock = FolderLock.take(join(folder, 'd'));
  const second = await runCommand('train', '--resume', join(folder, 'd'));
  lock.release();
  expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/ is in use by another process .*\n$/)]);
  await inProcess('train', '--resume', join(folder, 'd'));
  expect(bytes('d').equals(bytes('a')), 'the continued run ends in the bytes of the unbroken one').toBe(true);
  const { success } = JSON.parse(readFileSync(join(folder, 'd', 'run.json'), 'utf8'));
  await inProcess('train', '--resume', join(folder, 'd'));
  expect(
    JSON.parse(readFileSync(join(folder, 'd', 'run.json'), 'utf8')).success,
    'resuming a finished run changes nothing',
  ).toEqual(success);
});

test('a mistake ends the process with one sentence and the code 1', async () => {
  const failure = (await command('train', 'calculater').catch((error: unknown) => error)) as {
    code: number;
    stderr: string;
  };
  expect(failure.code).toBe(1);
  expect(failure.stderr).toContain('There is no preset called "calculater"');
  expect(failure.stderr).not.toContain('    at ');
});

test.each([
  ['train', ['/no/such.json'], 'There is no file /no/such.json'],
  ['train', [], 'train needs a preset'],
  ['train', ['calculator', '--seed', 'x'], '--seed is "x"'],
  ['train', ['--resume', '/no/such/run'], 'so there is no run to continue there'],
  ['train', ['calculator', '--resume', '/no/such/run'], '--resume continues a run as it was begun'],
  ['eval', ['/no/such/run'], 'There is no checkpoint at'],
  ['eval', ['/no/such/run', '--spilt', 'train'], 'eval knows no flag --spilt. Did you mean --split?'],
])('%s %j is answered by a sentence', async (name, args, sentence) => {
  const { code, stderr } = await runCommand(name, ...args);
  expect(code).toBe(1);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('    at ');
});

test('train says first that a truncated draw biases training', async () => {
  const { stderr } = await runCommand('train', file, '--set', 'rollout.topP=0.9', '--out', file);
  expect(stderr).toContain('biased');
});

test('a run prints its memory before it begins; one that the device cannot hold leaves no folder', async () => {
  const out = join(folder, 'sized');
  const fits = await runCommand('train', file, '--device', 'cpu', '--iterations', '3', '--out', out);
  expect(fits.code, fits.stderr).toBe(0);
  const memory = /Model: [\d.]+K parameters\. Memory: [\d.]+ MB on CPU[^.]*\.\n/;
  expect(fits.stderr).toMatch(memory);
  expect(fits.stderr.search(memory)).toBeLessThan(fits.stderr.indexOf('Environment:'));
  expect(fits.stderr).toMatch(/Likely time: \d+ s\.\n/);
  const refused = join(folder, 'refused');
  const huge = [
    'model.layers=12',
    'model.heads=16',
    'model.kvHeads=16',
    'model.width=512',
    'model.mlpWidth=2048',
    'model.context=1024',
    'rollout.group=64',
  ];
  const set = [...huge, 'rollout.tasks=512'].flatMap((each) => ['--set', each]);
  const { code, stderr } = await runCommand('train', file, '--device', 'cpu', '--out', refused, ...set);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/The run takes \d+ MB and the device can hold \d+ MB/)]);
  expect(existsSync(refused)).toBe(false);
});

test('--save-every saves between validations, and a run says how often it saves', async () => {
  const writes = vi.spyOn(RunFolder.prototype, 'writeCheckpoint');
  const savesOf = async (name: string, ...more: string[]) => {
    writes.mockClear();
    const { code, stderr } = await runCommand('train', file, '--device', 'cpu', '--out', join(folder, name), ...more);
    expect(code, stderr).toBe(0);
    return { saves: writes.mock.calls.length, stderr };
  };
  const seldom = await savesOf('seldom', '--set', 'evaluation.every=4');
  const often = await savesOf('often', '--set', 'evaluation.every=4', '--save-every', '1');
  writes.mockRestore();
  expect(seldom.stderr).toContain(
    'Saves after each validation (iteration 1 and every 4 iterations), at the end and on Ctrl-C.',
  );
  expect(often.stderr).toContain('every 4 iterations), after every 1 iterations, at the end');
  // Of the steps 1 to 4, the second and third are not validated.
  expect(often.saves - seldom.saves).toBe(2);
});
