/** A sweep by a real Slurm: an array of cells, one of them requeued, and the table of one process. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { entry } from '../helpers/command-lines';
import { startSlurm } from '../helpers/slurm';
import { tableOf } from '../helpers/sweeps';

const cells = 12;

test('twelve cells on Slurm, one requeued, give the table of one process', { timeout: 400_000 }, async (context) => {
  const slurm = await startSlurm();
  if (typeof slurm === 'string') return context.skip(`not run: ${slurm}`);
  onTestFinished(slurm.stop);
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-sweep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const experiment = {
    name: 'twelve',
    title: 'Twelve',
    question: 'Does a cluster give the same table?',
    base: 'bandit',
    seeds: 3,
    grid: { lr: [2e-4, 4e-4, 8e-4, 16e-4] },
    changes: { iterations: 100, 'evaluation.every': 1000, 'evaluation.tasks': 16 },
  };
  writeFileSync(join(folder, 'twelve.json'), JSON.stringify(experiment));
  const run = (program: string, args: readonly string[]) => {
    const { stdout, stderr, status } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...slurm.env },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return stdout + stderr;
  };
  const agentlet = (...args: string[]) => run(process.execPath, [entry, ...args]);
  expect(agentlet('experiment', 'twelve.json', '--count').trim().split('\n').at(-1)).toBe(String(cells));

  const job = /as job (\d+)/.exec(agentlet('sweep', 'twelve.json', '--slurm', '--out', 'slurm'))![1];
  const isRunning = () => run('squeue', ['-h', '-r', '-j', job, '-t', 'RUNNING', '-o', '%i']).includes(`${job}_0`);
  await expect.poll(isRunning, { timeout: 60_000, interval: 20 }).toBe(true);
  run('scontrol', ['requeue', `${job}_0`]);
  for (const endMs = Date.now() + 300_000; !existsSync(join(folder, 'slurm/twelve.json')); await sleep(500))
    if (Date.now() > endMs) throw new Error(`No table within 300 s: ${run('squeue', [])}`);
  expect(readFileSync(join(folder, 'slurm/slurm-0.log'), 'utf8').match(/seed 1/g)?.length).toBeGreaterThan(0);

  agentlet('experiment', 'twelve.json', '--device', 'cpu', '--out', 'local');
  expect(tableOf(join(folder, 'slurm/twelve.json'))).toEqual(tableOf(join(folder, 'local/twelve.json')));
});
