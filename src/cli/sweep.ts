/**
 * `sweep <name | file.json>`: runs the cells of an experiment in processes of their own, on this machine, by Slurm or
 * by Kubernetes, and writes the table when all are done. A cell that is stopped goes on where it was.
 */
import { execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { maxThreads } from '../device/wasm/wasm-device';
import { parseCommand, type Arguments, type CommandSpec } from './args';
import { findExperiment, folderOf } from './experiment';
import { planCells } from './experiment/cells';
import { entry } from './place';
import { makeFolder, replaceFile } from './safe-files';
import { print, say } from './terminal';

const flags = {
  local: { kind: 'flag', help: 'run the cells on this machine' },
  slurm: { kind: 'flag', help: 'submit them to Slurm as an array, and a job that writes the table after it' },
  kubernetes: { kind: 'flag', help: 'apply them to Kubernetes as an indexed job' },
  'dry-run': { kind: 'flag', help: 'print what would be run or submitted, and do nothing' },
  out: { kind: 'text', help: 'folder that all processes share (default: runs/experiment-<name>)', value: 'DIR' },
  seeds: { kind: 'integer', help: 'as for experiment', min: 1 },
  jobs: { kind: 'integer', help: 'cells at once (default: here one a core, else as the cluster decides)', min: 1 },
  cpus: { kind: 'integer', help: 'threads of a cell (default: 1); the bits do not depend on it', min: 1 },
  image: { kind: 'text', help: 'for Kubernetes: the image of a container that has agentlet', value: 'NAME' },
  claim: { kind: 'text', help: 'for Kubernetes: the volume claim to mount at --out', value: 'NAME' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'sweep',
  positionals: '<name | file.json>',
  count: { min: 1, max: 1 },
  flags,
};
type Flags = Arguments<typeof flags>['flags'];

interface Sweep {
  readonly name: string;
  readonly cells: number;
  /** The shared folder, absolute. */
  readonly out: string;
  /** The words of `experiment` that each process is started with. */
  readonly words: readonly string[];
  readonly threads: number;
  /** Cells at once. */
  readonly jobs: number | undefined;
}

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { flags: given } = parsed;
  const [way, ...others] = (['local', 'slurm', 'kubernetes'] as const).filter((name) => given[name]);
  if (way === undefined || others.length > 0)
    throw new Error('Say where the cells run: one of --local, --slurm and --kubernetes.');
  const sweep = await plan(parsed.positionals[0], given);
  const isDry = given['dry-run'];
  switch (way) {
    case 'local':
      return isDry ? dry(commandOf(sweep, '--cell', 'INDEX')) : runHere(sweep);
    case 'slurm':
      return isDry ? dry(slurmScript(sweep)) : submitToSlurm(sweep);
    case 'kubernetes':
      return isDry ? dry(kubernetesJob(sweep, given)) : applyToKubernetes(sweep, given);
  }
}

async function plan(subject: string, given: Flags): Promise<Sweep> {
  const { experiment, base } = await findExperiment(subject);
  const out = resolve(folderOf(experiment, given.out));
  const file = subject.endsWith('.json') ? resolve(subject) : subject;
  const seeds = given.seeds === undefined ? [] : ['--seeds', String(given.seeds)];
  return {
    name: experiment.name,
    cells: planCells(experiment, base, given.seeds).length,
    out,
    words: ['experiment', file, '--out', out, ...seeds],
    threads: Math.min(given.cpus ?? 1, maxThreads),
    jobs: given.jobs,
  };
}

function dry(text: string): number {
  print(`${text.trimEnd()}\n`);
  return 0;
}

/** As many processes at once as `jobs`, each with a cell; the rest goes on when one fails. */
async function runHere(sweep: Sweep): Promise<number> {
  const waiting = Array.from({ length: sweep.cells }, (_, index) => index);
  const failed: number[] = [];
  const worker = async () => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift())
      if ((await runProcess(sweep, ['--cell', String(index)])) !== 0) failed.push(index);
  };
  await Promise.all(Array.from({ length: sweep.jobs ?? availableParallelism() }, worker));
  if (failed.length > 0)
    throw new Error(
      `${failed.length} of ${sweep.cells} cells failed: ${failed.sort((a, b) => a - b).join(', ')}. ` +
        'Start the sweep again to run only these.',
    );
  return runProcess(sweep, ['--collect']);
}

/** @returns its exit code */
function runProcess({ words, threads }: Sweep, more: readonly string[]): Promise<number> {
  const env = { ...process.env, AGENTLET_THREADS: String(threads) };
  const child = spawn(process.execPath, [entry, ...words, ...more], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((done, reject) => {
    child.on('error', reject);
    child.on('close', (code) => done(code ?? 1));
  });
}

const commandOf = ({ words }: Sweep, ...more: string[]): string =>
  [process.execPath, entry, ...words, ...more].map(quoted).join(' ');

/** A word as a shell reads it. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Its index names the cell. A job that is requeued goes on with its cell. */
function slurmScript(sweep: Sweep): string {
  const { name, cells, jobs, threads, out } = sweep;
  return `#!/bin/bash
#SBATCH --job-name=agentlet-${name}
#SBATCH --array=0-${cells - 1}${jobs === undefined ? '' : `%${jobs}`}
#SBATCH --cpus-per-task=${threads}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=${join(out, 'slurm-%a.log')}
exec ${commandOf(sweep)}
`;
}

function submitToSlurm(sweep: Sweep): number {
  const script = join(sweep.out, 'sweep.sh');
  makeFolder(sweep.out);
  replaceFile(script, slurmScript(sweep));
  const array = submitted('sbatch', ['--parsable', script]);
  const log = join(sweep.out, 'slurm-table.log');
  const table = ['--parsable', `--dependency=afterok:${array}`, `--output=${log}`, `--job-name=agentlet-${sweep.name}`];
  const last = submitted('sbatch', [...table, `--wrap=${commandOf(sweep, '--collect')}`]);
  say(
    `Submitted ${sweep.cells} cells as job ${array}, and job ${last}, which writes the table when all are done. ` +
      `Logs and table are in ${sweep.out}.\n`,
  );
  return 0;
}

/** @returns what the program printed @throws a sentence */
function submitted(program: string, args: readonly string[], input?: string): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', input }).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error(`There is no ${program} on this machine: run this where jobs are submitted, or with --dry-run.`, {
        cause: error,
      });
    throw new Error(`${program} refused the sweep.`, { cause: error });
  }
}

/** An indexed job as YAML; each pod is one cell. The experiment's file must be in the volume or the image. */
function kubernetesJob({ name, cells, jobs, threads, out, words }: Sweep, { image, claim }: Flags): string {
  if (image === undefined || claim === undefined)
    throw new Error('Kubernetes needs --image, a container with agentlet, and --claim, a volume that all pods share.');
  const text = (value: string) => JSON.stringify(value);
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: agentlet-${name}
spec:
  completionMode: Indexed
  completions: ${cells}
  parallelism: ${jobs ?? cells}
  backoffLimit: ${cells}
  template:
    spec:
      restartPolicy: OnFailure
      containers:
        - name: cell
          image: ${text(image)}
          command: ${JSON.stringify(['npx', 'agentlet', ...words])}
          env:
            - name: AGENTLET_THREADS
              value: "${threads}"
          resources:
            requests:
              cpu: "${threads}"
          volumeMounts:
            - name: table
              mountPath: ${text(out)}
      volumes:
        - name: table
          persistentVolumeClaim:
            claimName: ${text(claim)}
`;
}

function applyToKubernetes(sweep: Sweep, given: Flags): number {
  submitted('kubectl', ['apply', '-f', '-'], kubernetesJob(sweep, given));
  say(
    `Applied ${sweep.cells} cells as job agentlet-${sweep.name}. When it is complete, write the table where ` +
      `${sweep.out} is mounted: npx agentlet ${[...sweep.words, '--collect'].join(' ')}\n`,
  );
  return 0;
}
