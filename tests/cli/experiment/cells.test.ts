/** Cells of an experiment run by processes of their own, as a cluster does: alone, at once, stopped, and collected. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { threadsOf } from '../../../src/cli/cpu-threads';
import { entry, requireSuccess, type Ended } from '../../helpers/command-lines';
import { tableOf } from '../../helpers/sweeps';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-cells-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'tiny.json');
writeFileSync(
  file,
  JSON.stringify({
    name: 'tiny',
    title: 'Tiny',
    question: 'Does it run?',
    base: 'bandit',
    seeds: 1,
    changes: {
      iterations: 200,
      'warmStart.demonstrations': 32,
      'warmStart.steps': 6,
      'warmStart.batch': 8,
      'warmStart.recorded': false,
      'rollout.tasks': 2,
      'rollout.group': 4,
      'evaluation.tasks': 8,
      'evaluation.every': 1000,
    },
    rows: [
      { name: 'oracle', title: 'Oracle', kind: 'script', policy: 'oracle' },
      { name: 'grpo', title: 'GRPO', kind: 'train' },
      { name: 'rloo', title: 'RLOO', kind: 'train', algorithm: 'rloo' },
    ],
  }),
);

interface Process {
  readonly ended: Promise<Ended>;
  kill(): void;
}

function start(out: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}): Process {
  const args = [entry, 'experiment', file, '--device', 'cpu', '--out', join(folder, out), ...flags];
  const child = spawn(process.execPath, args, { env: { ...process.env, AGENTLET_THREADS: '1', ...env } });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text) => (said.stdout += String(text)));
  child.stderr.on('data', (text) => (said.stderr += String(text)));
  const ended = new Promise<Ended>((resolve) => child.on('close', (status) => resolve({ ...said, status })));
  return { ended, kill: () => child.kill('SIGKILL') };
}

async function run(out: string, ...flags: string[]): Promise<string> {
  const ended = await start(out, flags).ended;
  requireSuccess(ended, flags.join(' '));
  return ended.stdout;
}

test(
  'cells at once, one of them killed and begun again, make the table of one process',
  { timeout: 120_000 },
  async () => {
    await run('whole');
    expect(await run('split', '--count')).toBe('3\n');
    expect(existsSync(join(folder, 'split')), 'counting writes nothing').toBe(false);

    const oracle = start('split', [], { SLURM_ARRAY_TASK_ID: '0' });
    const grpo = start('split', ['--cell', '1', '--save-every', '3']);
    const rloo = start('split', [], { JOB_COMPLETION_INDEX: '2' });
    const cell = join(folder, 'split/cells/grpo-seed1');
    await expect.poll(() => existsSync(join(cell, 'progress.json')), { interval: 5, timeout: 60_000 }).toBe(true);
    grpo.kill();
    await grpo.ended;
    for (const process of [oracle, rloo]) requireSuccess(await process.ended, 'a cell');
    expect(existsSync(join(folder, 'split/tiny.json')), 'a cell writes no table').toBe(false);
    expect(readdirSync(join(folder, 'split/warm')).filter((name) => name.endsWith('.json')).length, 'warm starts').toBe(
      1,
    );

    const early = await start('split', ['--collect']).ended;
    expect(early.stderr).toContain('1 of 3 cells are not done in ');
    expect(early.stderr).toContain(': 1 (grpo-seed1).');
    const saved = JSON.parse(readFileSync(join(cell, 'progress.json'), 'utf8')) as { iteration: number };
    expect(saved.iteration % 3).toBe(0);
    await run('split', '--cell', '1');
    expect(readdirSync(cell).filter((name) => name.startsWith('progress'))).toEqual([]);

    await run('split', '--collect');
    expect(tableOf(join(folder, 'split/tiny.json'))).toEqual(tableOf(join(folder, 'whole/tiny.json')));
  },
);

test('a cell that is not there is refused in a sentence', async () => {
  expect((await start('other', ['--cell', '3']).ended).stderr).toContain(
    'There is no cell 3: this experiment has 3, counted from 0.',
  );
});

test.each([
  [{}, null],
  [{ AGENTLET_THREADS: '3', SLURM_JOB_ID: '1', SLURM_CPUS_PER_TASK: '2' }, 3],
  [{ SLURM_JOB_ID: '1', SLURM_CPUS_PER_TASK: '2' }, 2],
  [{ SLURM_JOB_ID: '1', SLURM_CPUS_PER_TASK: '128' }, 8],
  [{ SLURM_JOB_ID: '1' }, 1],
])('threads of a task with %o', (env, threads) => expect(threadsOf(env)).toBe(threads));

test('a number of threads that is none is named', () => {
  expect(() => threadsOf({ SLURM_JOB_ID: '1', SLURM_CPUS_PER_TASK: '2x' })).toThrow(
    'SLURM_CPUS_PER_TASK cannot be "2x"; it takes whole numbers from 1 to 4096.',
  );
});
