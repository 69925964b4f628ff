/** What a sweep runs and submits; `sweep.full.test.ts` submits to a real Slurm. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { entry, requireSuccess, runIn } from '../helpers/command-lines';
import { tableOf } from '../helpers/sweeps';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-sweep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, "it's.json"),
  JSON.stringify({
    name: 'small',
    title: 'Small',
    question: 'Does it run?',
    base: 'bandit',
    seeds: 1,
    grid: { lr: [2e-4, 4e-4, 8e-4] },
    changes: { iterations: 2, 'evaluation.tasks': 8 },
  }),
);
const sweep = (...args: string[]) => runIn(folder, 'sweep', ["it's.json", ...args]);

test('cells in processes here make the table of one process', { timeout: 120_000 }, () => {
  requireSuccess(sweep('--local', '--jobs', '2', '--out', 'many'), 'sweep');
  requireSuccess(runIn(folder, 'experiment', ["it's.json", '--out', 'one', '--device', 'cpu']), 'experiment');
  expect(tableOf(join(folder, 'many/small.json'))).toEqual(tableOf(join(folder, 'one/small.json')));
});

test('for Slurm: an array with an index for each cell, in words that a shell reads', () => {
  const { stdout } = sweep('--slurm', '--dry-run', '--out', 'out', '--jobs', '2', '--cpus', '4', '--seeds', '2');
  const out = join(folder, 'out');
  expect(stdout.split('\n')).toEqual([
    '#!/bin/bash',
    '#SBATCH --job-name=agentlet-small',
    '#SBATCH --array=0-5%2',
    '#SBATCH --cpus-per-task=4',
    '#SBATCH --requeue',
    '#SBATCH --open-mode=append',
    `#SBATCH --output=${out}/slurm-%a.log`,
    `exec ${process.execPath} ${entry} experiment '${folder}/it'\\''s.json' --out ${out} --seeds 2`,
    '',
  ]);
});

test('for Kubernetes: an indexed job with a pod for each cell', () => {
  const { stdout } = sweep(
    '--kubernetes',
    '--dry-run',
    '--out',
    '/data',
    '--image',
    'me/agentlet',
    '--claim',
    'tables',
  );
  for (const line of ['completionMode: Indexed', 'completions: 3', 'claimName: "tables"', 'mountPath: "/data"'])
    expect(stdout).toContain(`${line}\n`);
});

test.each([
  [[], 'Say where the cells run: one of --local, --slurm and --kubernetes.'],
  [['--local', '--slurm'], 'Say where the cells run: one of --local, --slurm and --kubernetes.'],
  [['--kubernetes', '--dry-run'], 'Kubernetes needs --image, a container with agentlet, and --claim, a volume'],
  [['--kubernetes', '--image', 'a', '--claim', 'b'], /There is no kubectl on this machine|kubectl refused the sweep/],
])('sweep %o says what is wrong', (args, sentence) => {
  const { status, stderr } = sweep(...args, '--out', 'none');
  expect(status).toBe(1);
  expect(stderr).toMatch(sentence);
});
