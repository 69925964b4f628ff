/**
 * `npm run interop`: real Python clients and real trainers play served worlds. It makes four virtual environments of
 * pinned packages in a temporary folder, or uses the Pythons that `AGENTLET_INTEROP_PYTHON`, `AGENTLET_INTEROP_VERL`,
 * `AGENTLET_INTEROP_VERIFIERS` and `AGENTLET_INTEROP_LLAMA` name, and prints a table of what ran. Exits with 1 if
 * something that ran was wrong.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Split } from '../../../src/agent/environment-client';
import { main } from '../../../src/cli/commands';
import { givenRun } from '../../../src/cli/run-config';
import { openServed, type Served } from '../../../src/cli/serve/open';
import { engineVersion } from '../../../src/config/run-link';
import { builtInEnvironments } from '../../../src/environments/built-in';
import type { Metrics } from '../../../src/rl/report';
import { cellsOf } from '../../../src/share/metrics-csv';
import { errs, expectedEpisodes, oracle, random } from '../../cli/serve/expected';
import { writeTinyPretrained } from '../../helpers/tiny-pretrained';
import { lastJson, lastLine, openPython, type Python } from './python';
import { compareRewards, notingRewards, type Compared } from './rewards';

/** What is installed; the trainer's own packages come with it. */
const pinned = {
  openreward: '0.1.167',
  openenv: '0.10.0',
  trl: '1.16.0',
  transformers: '5.23.0',
  torch: '2.15.0',
  'ray[train]': '2.60.0',
  peft: '0.21.2',
  tensorboard: '2.21.0',
};
/** Its packages exclude those above. */
const pinnedVerl = { verl: '0.9.1', transformers: '5.10.4', torch: '2.15.0' };
/** So do its. */
const pinnedVerifiers = { 'verifiers[openenv]': '0.4.0' };
/** llama.cpp itself is in no package that pip can install everywhere without a compiler; this one carries it. */
const pinnedLlama = { xllamacpp: '2026.10.11549', gguf: '0.19.0', safetensors: '0.8.0' };

interface Row {
  readonly package: string;
  readonly version: string;
  readonly ran: string;
  readonly result: string;
  readonly isWrong?: boolean;
}

type Check = (python: Python, folder: string) => Promise<Row>;

export async function run(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-interop-'));
  const {
    AGENTLET_INTEROP_PYTHON: given,
    AGENTLET_INTEROP_VERL: givenVerl,
    AGENTLET_INTEROP_VERIFIERS: givenVerifiers,
    AGENTLET_INTEROP_LLAMA: givenLlama,
  } = process.env;
  const rows: Row[] = [];
  try {
    const checks = { openreward: openReward, openenv: openEnv, trl, chats, ray, peft, tensorboard };
    rows.push(...(await runAll(folder, 'python', pinned, given, checks)));
    rows.push(...(await runAll(folder, 'verl', pinnedVerl, givenVerl, { verl })));
    rows.push(...(await runAll(folder, 'verifiers', pinnedVerifiers, givenVerifiers, { verifiers })));
    rows.push(...(await runAll(folder, 'llama', pinnedLlama, givenLlama, { xllamacpp })));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  printTable(rows);
  return rows.some(({ isWrong }) => isWrong) ? 1 : 0;
}

/**
 * Runs the checks of one virtual environment, one after another: `chats` and `ray` train what `trl` has made,
 * `verl` reads what `chats` has exported, and `xllamacpp` what `peft` has.
 */
async function runAll(
  folder: string,
  name: string,
  packages: Readonly<Record<string, string>>,
  given: string | undefined,
  checks: Readonly<Record<string, Check>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  try {
    const python = await openPython(join(folder, name), packages, given);
    for (const [each, check] of Object.entries(checks)) {
      console.error(`Running ${each}.`);
      rows.push(
        await check(python, folder).catch((error: unknown) => {
          const result = lastLine(error);
          return { package: each, version: python.versions[each], ran: 'failed', result, isWrong: true };
        }),
      );
    }
  } catch (error) {
    for (const each of Object.keys(checks))
      rows.push({ package: each, version: '-', ran: 'not run', result: `pip: ${lastLine(error)}` });
  }
  return rows;
}

/** The SDK over all built-in worlds. */
async function openReward(python: Python, folder: string): Promise<Row> {
  const worlds = Object.keys(builtInEnvironments);
  const sums = await sumOver(worlds, (world) => compareWorld(python, folder, world, 'openreward_worlds.py', 3));
  const ran = `its client in ${worlds.length} worlds × ${scripts.length} policies`;
  return { package: 'openreward', version: python.versions.openreward, ran, ...resultOf(sums) };
}

/** OpenEnv's clients: of any server, and of tools. */
async function openEnv(python: Python, folder: string): Promise<Row> {
  const worlds = ['calculator', 'frozen-lake', 'shop'];
  const sums = await sumOver(worlds, (world) => compareWorld(python, folder, world, 'openenv_clients.py', 1));
  const ran = `GenericEnvClient and MCPToolClient in ${worlds.join(', ')}`;
  return { package: 'openenv', version: python.versions.openenv, ran, ...resultOf(sums) };
}

/** The taskset of verifiers that plays OpenEnv servers, with its agent and a model that says the calls of a script. */
async function verifiers(python: Python, folder: string): Promise<Row> {
  const worlds = ['calculator', 'shop'];
  const sums = await sumOver(worlds, (world) =>
    compareWorld(python, folder, world, 'verifiers_openenv.py', 1, [join(folder, `verifiers-${world}`)]),
  );
  const version = `${python.versions.verifiers} (openenv ${python.versions.openenv})`;
  const ran = `vf-eval of its taskset openenv in ${worlds.join(', ')}, with a scripted model`;
  return { package: 'verifiers', version, ran, ...resultOf(sums) };
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
  python: Python,
  folder: string,
  world: string,
  program: string,
  policies: number,
  more: readonly string[] = [],
): Promise<Compared> {
  const given = await givenRun(world);
  const episodes = [];
  for (const [replica, script] of scripts.slice(0, policies).entries())
    for (const split of splits) episodes.push(...(await expectedEpisodes(given, { split, count: 3, script, replica })));
  const file = join(folder, `${world}.json`);
  await writeFile(file, JSON.stringify(episodes));
  return serving(world, async ({ address }) => lastJson<Compared>(await python.run(program, [address, file, ...more])));
}

/** TRL trains by the address alone; what it logs are the rewards that the server gave. */
async function trl(python: Python, folder: string): Promise<Row> {
  const { result, given } = await notingRewards(() =>
    serving('bandit', async ({ address }) =>
      lastJson<{ readonly rewards: readonly (number | null)[][]; readonly logged: readonly number[] }>(
        await python.run('trl_steps.py', [address, join(folder, 'trl'), 'left', 'right']),
      ),
    ),
  );
  const { rewards, logged } = result;
  const ran = `GRPOTrainer, ${logged.length} steps of a tiny random Qwen2 on bandit`;
  const { trl: version, torch, transformers } = python.versions;
  const about = { package: 'trl', version: `${version} (torch ${torch}, transformers ${transformers})`, ran };
  return { ...about, ...resultOf(compareRewards(given, rewards, logged)) };
}

/** TRL imitates what `export` writes: demonstrations, and the rollouts of a run. */
async function chats(python: Python, folder: string): Promise<Row> {
  const [sft, jsonl, played] = ['sft.jsonl', 'rollouts.jsonl', 'played'].map((name) => join(folder, name));
  await command('export', 'shop', '--to', 'sft', '--tasks', '6', '--policy', 'oracle', '--out', sft);
  await command('train', 'bandit', '--iterations', '1', '--device', 'cpu', '--set', 'tasks=2', '--out', played);
  await command('export', played, '--to', 'jsonl', '--out', jsonl);
  const paths = [join(folder, 'trl/imitated'), join(folder, 'chats'), sft, jsonl];
  const found = lastJson<Compared>(await python.run('trl_chats.py', paths));
  const ran = 'SFTTrainer, 2 steps each on export --to sft and --to jsonl; parts of chats in their texts';
  return { package: 'trl', version: python.versions.trl, ran, ...resultOf(found) };
}

/** verl's datasets, of prompts and of chats, read the same files. */
async function verl(python: Python, folder: string): Promise<Row> {
  const files = ['trl/imitated', 'verl', 'sft.jsonl', 'rollouts.jsonl'].map((name) => join(folder, name));
  const found = lastJson<Compared>(await python.run('verl_chats.py', files));
  const ran = 'RLHFDataset on export --to jsonl, MultiTurnSFTDataset on both as Parquet; parts of chats in their texts';
  return { package: 'verl', version: python.versions.verl, ran, ...resultOf(found) };
}

/** The recipe of `export --to ray` on a Ray cluster of this machine, with the model that the check of TRL has saved. */
async function ray(python: Python, folder: string): Promise<Row> {
  const recipe = join(folder, 'ray');
  await command('export', 'bandit', '--to', 'ray', '--tasks', '8', '--out', recipe);
  const read = async (name: string) => readFile(join(recipe, name), 'utf8');
  const config = JSON.parse(await read('config.json')) as { readonly grpo: object };
  const ofTinyModel = {
    num_generations: 4,
    per_device_train_batch_size: 4,
    max_steps: 3,
    max_completion_length: 32,
    learning_rate: 1e-3,
    use_cpu: true,
    bf16: false,
  };
  const { given } = await notingRewards(() =>
    serving(join(recipe, 'world.json'), async ({ address }) => {
      const grpo = { ...config.grpo, ...ofTinyModel };
      const changed = { ...config, address, model: join(folder, 'trl/imitated'), gpus: false, grpo };
      await writeFile(join(recipe, 'config.json'), JSON.stringify(changed));
      await python.run(join(recipe, 'train.py'), []);
    }),
  );
  const workers = await Promise.all(
    [0, 1].map(async (rank) => {
      const lines = (await read(`output/rewards-${rank}.jsonl`)).trim().split('\n');
      return lines.map((line) => JSON.parse(line) as (number | null)[]);
    }),
  );
  const rewards = workers[0].map((_, step) => workers.flatMap((ofWorker) => ofWorker[step]));
  const log = JSON.parse(await read('output/log.json')) as { readonly reward?: number }[];
  const logged = log.flatMap(({ reward }) => reward ?? []);
  const ran = `export --to ray: ${workers.length} workers, ${logged.length} steps of the same Qwen2 on bandit`;
  return { package: 'ray', version: python.versions.ray, ran, ...resultOf(compareRewards(given, rewards, logged)) };
}

/** The adapter of a run on its model, and the model with it merged in, by the tokens that the run's agent samples. */
async function peft(python: Python, folder: string): Promise<Row> {
  const model = writeTinyPretrained(join(folder, 'tiny-qwen3'));
  const [out, merged, episodes] = ['adapter', 'merged', 'episodes.jsonl'].map((name) => join(folder, name));
  const settings = 'demos=64 warm=40 warmBatch=8 warmLr=2e-2 tasks=2 group=4 evalTasks=4'.split(' ');
  const set = settings.flatMap((each) => ['--set', each]);
  const given = ['--model', model];
  await command('train', 'calculator', ...given, '--iterations', '1', '--device', 'cpu', ...set, '--out', out);
  await command('export', out, '--to', 'model', ...given, '--out', merged);
  await command('eval', out, ...given, '--samples', '2', '--temperature', '1', '--out', episodes);
  const found = lastJson<Compared>(await python.run('peft_adapter.py', [model, out, merged, episodes]));
  const { peft: own, torch, transformers } = python.versions;
  const version = `${own} (torch ${torch}, transformers ${transformers})`;
  const ran = 'PeftModel of an adapter of a tiny random Qwen3, and export --to model; log-probs of sampled tokens';
  return { package: 'peft', version, ran, ...resultOf(found) };
}

/** llama.cpp with the merged model of `peft`, as GGUF, by the same tokens. */
async function xllamacpp(python: Python, folder: string): Promise<Row> {
  const files = ['merged', 'episodes.jsonl'].map((name) => join(folder, name));
  const found = lastJson<Compared>(await python.run('llama_cpp.py', files));
  const version = `${python.versions.xllamacpp} (gguf ${python.versions.gguf})`;
  const ran = 'llama.cpp: the merged model as GGUF; log-probs of sampled tokens';
  return { package: 'xllamacpp', version, ran, ...resultOf(found) };
}

/** TensorBoard's own reader over the event file of a run: every number of its metrics, to float32. */
async function tensorboard(python: Python, folder: string): Promise<Row> {
  const out = join(folder, 'run');
  await command('train', 'bandit', '--iterations', '4', '--device', 'cpu', '--tensorboard', '--out', out);
  const scalars = lastJson<Readonly<Record<string, readonly [number, number][]>>>(
    await python.run('tensorboard_scalars.py', [out]),
  );
  const lines = (await readFile(join(out, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  const differences: string[] = [];
  let compared = 0;
  for (const { iteration, ...metrics } of lines.map((line) => JSON.parse(line) as Metrics)) {
    for (const [name, value] of cellsOf(metrics)) {
      if (typeof value !== 'number') continue;
      compared++;
      const read = scalars[name.replaceAll('.', '/')]?.find(([step]) => step === iteration)?.[1];
      if (read === undefined || Math.fround(value) !== Math.fround(read))
        differences.push(`${name} of iteration ${iteration}: ${read} instead of ${value}`);
    }
  }
  const ran = `EventAccumulator over ${lines.length} iterations of train --tensorboard`;
  return { package: 'tensorboard', version: python.versions.tensorboard, ran, ...resultOf({ compared, differences }) };
}

/** @throws if the command fails */
async function command(...words: string[]): Promise<void> {
  if ((await main(words)) !== 0) throw new Error(`${words.join(' ')} failed.`);
}

async function serving<T>(subject: string, use: (served: Served) => Promise<T>): Promise<T> {
  const run = await givenRun(subject);
  const onFault = (error: Error) => console.error(error.message);
  const served = await openServed({ run, port: 0, tasks: 64, stepRewards: false, version: engineVersion, onFault });
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}

function resultOf({ compared, differences }: Compared): Pick<Row, 'result' | 'isWrong'> {
  const isWrong = differences.length > 0 || compared === 0;
  const found = differences.length > 0 ? `; ${differences.slice(0, 3).join('; ')}` : '';
  return { result: `${compared - differences.length} of ${compared} equal${found}`, isWrong };
}

function printTable(rows: readonly Row[]): void {
  console.log('| package | version | what ran | result |\n|---|---|---|---|');
  for (const { package: name, version, ran, result } of rows)
    console.log(`| ${name} | ${version} | ${ran} | ${result} |`);
}
