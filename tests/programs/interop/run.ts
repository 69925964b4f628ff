/**
 * `npm run interop`: real Python clients and a real trainer play served worlds. It makes a virtual environment of
 * pinned packages in a temporary folder, or uses the Python that `AGENTLET_INTEROP_PYTHON` names, and prints a table of
 * what ran. Exits with 1 if something that ran was wrong.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { engineVersion } from '../../../src/config/run-link';
import type { Split } from '../../../src/agent/environment-client';
import { builtInEnvironments } from '../../../src/environments/built-in';
import { givenRun } from '../../../src/cli/run-config';
import { ServedEpisode } from '../../../src/cli/serve/episode';
import { openServed, type Served } from '../../../src/cli/serve/open';
import { errs, expectedEpisodes, oracle, random } from '../../cli/serve/expected';

const execute = promisify(execFile);

/** What is installed; the trainer's own packages come with it. */
const pinned = { openreward: '0.1.167', openenv: '0.10.0', trl: '1.16.0', transformers: '5.23.0', torch: '2.15.0' };

interface Row {
  readonly package: string;
  readonly version: string;
  readonly ran: string;
  readonly result: string;
  readonly isWrong?: boolean;
}

/** What a client's program prints last. */
interface Compared {
  readonly compared: number;
  readonly differences: readonly string[];
}

export async function run(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-interop-'));
  const rows: Row[] = [];
  try {
    const python = await preparePython(folder);
    const versions = await versionsOf(python);
    for (const [name, play] of Object.entries({ openreward: openReward, openenv: openEnv, trl }))
      rows.push(
        await play(python, folder, versions).catch((error: unknown) => {
          return { package: name, version: versions[name], ran: 'failed', result: lastLine(error), isWrong: true };
        }),
      );
  } catch (error) {
    for (const name of Object.keys(pinned))
      rows.push({ package: name, version: '-', ran: 'not run', result: `pip: ${lastLine(error)}` });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  printTable(rows);
  return rows.some(({ isWrong }) => isWrong) ? 1 : 0;
}

/** @throws if pip cannot install what is needed */
async function preparePython(folder: string): Promise<string> {
  const given = process.env.AGENTLET_INTEROP_PYTHON;
  if (given !== undefined) return given;
  await execute('python3', ['-m', 'venv', join(folder, 'venv')]);
  const python = join(folder, 'venv/bin/python');
  const packages = Object.entries(pinned).map(([name, version]) => `${name}==${version}`);
  console.error(`Installing ${packages.join(', ')}: this takes minutes.`);
  await execute(python, ['-m', 'pip', 'install', '--quiet', ...packages], { maxBuffer: 1 << 26 });
  return python;
}

async function versionsOf(python: string): Promise<Readonly<Record<string, string>>> {
  const code =
    'import importlib.metadata as m, json, sys\n' +
    'print(json.dumps({d.metadata["Name"].lower(): d.version for d in m.distributions()}))';
  return JSON.parse((await execute(python, ['-c', code])).stdout) as Readonly<Record<string, string>>;
}

type Versions = Awaited<ReturnType<typeof versionsOf>>;

/** The SDK over all built-in worlds. */
async function openReward(python: string, folder: string, versions: Versions): Promise<Row> {
  const about = { package: 'openreward', version: versions.openreward };
  const worlds = Object.keys(builtInEnvironments);
  const sums = await sumOver(worlds, (world) => compareWorld(python, folder, world, 'openreward_worlds.py', 3));
  const ran = `its client in ${worlds.length} worlds × ${scripts.length} policies`;
  return { ...about, ran, ...resultOf(sums) };
}

/** OpenEnv's clients: of any server, and of tools. */
async function openEnv(python: string, folder: string, versions: Versions): Promise<Row> {
  const worlds = ['calculator', 'frozen-lake', 'shop'];
  const sums = await sumOver(worlds, (world) => compareWorld(python, folder, world, 'openenv_clients.py', 1));
  const ran = `GenericEnvClient and MCPToolClient in ${worlds.join(', ')}`;
  return { package: 'openenv', version: versions.openenv, ran, ...resultOf(sums) };
}

const scripts = [oracle, random, errs];
const splits: readonly Split[] = ['train', 'validation'];

async function sumOver(worlds: readonly string[], compare: (world: string) => Promise<Compared>): Promise<Compared> {
  let compared = 0;
  const differences: string[] = [];
  for (const world of worlds) {
    const found = await compare(world);
    compared += found.compared;
    differences.push(...found.differences.map((each) => `${world}: ${each}`));
  }
  return { compared, differences };
}

/** @param policies how many of the scripts are played; each opens a task anew */
async function compareWorld(
  python: string,
  folder: string,
  world: string,
  program: string,
  policies: number,
): Promise<Compared> {
  const given = await givenRun(world);
  const episodes = [];
  for (const [replica, script] of scripts.slice(0, policies).entries())
    for (const split of splits) episodes.push(...(await expectedEpisodes(given, { split, count: 3, script, replica })));
  const file = join(folder, `${world}.json`);
  await writeFile(file, JSON.stringify(episodes));
  return serving(world, async ({ address }) => lastJson<Compared>(await runProgram(python, program, [address, file])));
}

/** TRL trains by the address alone; what it logs are the rewards that the server gave. */
async function trl(python: string, folder: string, versions: Versions): Promise<Row> {
  const given: number[] = [];
  const { prototype } = ServedEpisode;
  const call = Object.getOwnPropertyDescriptor(prototype, 'call')!.value as ServedEpisode['call'];
  prototype.call = async function (this: ServedEpisode, ...words) {
    const reply = await call.apply(this, words);
    if (reply.kind === 'result' && reply.reward !== null) given.push(reply.reward);
    return reply;
  };
  const words = ['left', 'right'];
  const { rewards, logged } = await serving('bandit', async ({ address }) =>
    lastJson<{ readonly rewards: readonly (number | null)[][]; readonly logged: readonly number[] }>(
      await runProgram(python, 'trl_steps.py', [address, join(folder, 'trl'), ...words]),
    ),
  );
  prototype.call = call;
  const differences: string[] = [];
  const read = rewards.map((step) => step.filter((reward) => reward !== null));
  for (const [step, values] of read.entries()) {
    const [ofServer, ofTrainer] = [given.splice(0, values.length), [...values]].map((each) => each.sort().join(' '));
    if (ofServer !== ofTrainer) differences.push(`step ${step + 1}: ${ofTrainer} instead of ${ofServer}`);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    if (Math.abs(mean - logged[step]) > 1e-6) differences.push(`step ${step + 1} logs ${logged[step]}, not ${mean}`);
  }
  if (given.length > 0) differences.push(`${given.length} rewards that the trainer did not read`);
  const ran = `GRPOTrainer, ${logged.length} steps of a tiny random Qwen2 on bandit`;
  const version = `${versions.trl} (torch ${versions.torch}, transformers ${versions.transformers})`;
  return { package: 'trl', version, ran, ...resultOf({ compared: read.flat().length, differences }) };
}

async function serving<T>(world: string, use: (served: Served) => Promise<T>): Promise<T> {
  const run = await givenRun(world);
  const onFault = (error: Error) => console.error(error.message);
  const served = await openServed({ run, port: 0, tasks: 64, stepRewards: false, version: engineVersion, onFault });
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}

async function runProgram(python: string, program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(python, [join(import.meta.dirname, program), ...args], {
    maxBuffer: 1 << 26,
    timeout: 600_000,
  });
  return stdout;
}

const lastJson = <T>(text: string): T => JSON.parse(text.trim().split('\n').at(-1)!) as T;

function resultOf({ compared, differences }: Compared): Pick<Row, 'result' | 'isWrong'> {
  const isWrong = differences.length > 0 || compared === 0;
  const found = differences.length > 0 ? `; ${differences.slice(0, 3).join('; ')}` : '';
  return { result: `${compared - differences.length} of ${compared} equal${found}`, isWrong };
}

/** Of what a program wrote before it failed. */
function lastLine(error: unknown): string {
  const { stderr = '', message } = error as { readonly stderr?: string; readonly message: string };
  return (stderr.trim() || message).split('\n').at(-1)!.slice(0, 200);
}

function printTable(rows: readonly Row[]): void {
  console.log('| package | version | what ran | result |\n|---|---|---|---|');
  for (const { package: name, version, ran, result } of rows)
    console.log(`| ${name} | ${version} | ${ran} | ${result} |`);
}
