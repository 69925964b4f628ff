/**
 * Every command of README.md and every flag of every --help, run as a process from the built library. A command is
 * covered by being written in README.md; only its length is cut here, by the command's name.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentFile } from '../../src/cli/experiment/plan';
import {
  commandNames,
  requireSuccess,
  flagsOf,
  readLine,
  readmeCommands,
  readmeFlags,
  root,
  runIn,
  wordsOf,
} from '../helpers/command-lines';
import { PreparedFiles, small, smallWarmStart } from '../helpers/prepared-files';

/** Scripts that run forever, run the tests or take minutes, and the file in which each is tested or said. */
const testedBy: Readonly<Record<string, string>> = {
  install: 'package-lock.json',
  pack: 'tests/library/package.full.test.ts',
  start: 'tests/cli/build/servers.test.ts',
  test: 'vite.config.ts',
  'test:full': 'vite.config.ts',
  check: 'tests/checks.full.test.ts',
  'build:library': 'tests/library/library.test.ts',
  reproduce: 'tests/browser/reproduce.full.test.ts',
  download: 'tests/cli/download.test.ts',
  bench: 'tests/cli/bench/commands.full.test.ts',
  sweep: 'tests/cli/sweep.test.ts',
  serve: 'tests/cli/serve/command.test.ts',
  interop: 'tests/programs/interop/run.ts',
};

const files = new PreparedFiles();
beforeAll(() => files.prepare(), 300_000);

interface Shortening {
  /** The arguments of a short run. @param folder for files that it needs */
  readonly shorten: (args: readonly string[], folder: string) => Promise<readonly string[]> | readonly string[];
  /** A part of what it prints, on either stream. */
  readonly prints: RegExp;
}

const asItIs = (args: readonly string[]) => args;
const shortRun = (args: readonly string[]) => [
  ...args,
  '--iterations',
  '1',
  ...small,
  ...(args.some((word) => word.endsWith('.js') || word === '--model') ? smallWarmStart : []),
];

/** The sandbox alone, one preset, or a layer of a model. */
const shortBench = (args: readonly string[]) =>
  args.includes('--model')
    ? [...args, '--layers', '1']
    : [
        ...args,
        '--sandbox',
        ...(['--iteration', '--first-point'].some((flag) => args.includes(flag)) ? ['--preset', 'bandit'] : []),
      ];

const smallPretraining = '--steps 2 --batch 4 --demonstrations 16 --layers 1 --width 32';

/** By the command's name. */
const commands: Readonly<Record<string, Shortening>> = {
  train: { shorten: (args) => (args.includes('--resume') ? args : shortRun(args)), prints: /^Done: /m },
  config: { shorten: asItIs, prints: /^ {2}"environment": \{$/m },
  'make-model': {
    shorten: (args) => [...args, ...smallPretraining.split(' ')],
    prints: /^Wrote a model to small-model/m,
  },
  env: { shorten: asItIs, prints: /^Written: |^ {2}good /m },
  eval: { shorten: (args) => [...args, '--tasks', '4'], prints: / solved after iteration / },
  estimators: { shorten: asItIs, prints: /^rollout group .* GRPO / },
  experiment: {
    shorten: async ([name, ...rest], folder) => [await shortExperiment(name, folder), ...rest],
    prints: /^Wrote runs\/experiment-/m,
  },
  chat: { shorten: asItIs, prints: /./ },
  export: { shorten: (args) => [...args, '--tasks', '4'], prints: /^Wrote (\d+ of 4 episodes|a recipe|a replay) to /m },
  sweep: {
    shorten: async ([name, ...rest], folder) => [await shortExperiment(name, folder), ...rest],
    prints: /^Wrote .*runs\/experiment-/m,
  },
  bench: { shorten: shortBench, prints: / ms| GFLOP/ },
  record: { shorten: (args) => [...shortRun(args), '--out', 'recording'], prints: /^Wrote recording/m },
};

/** A built-in experiment as a file, with its first row that trains and one step of everything. */
async function shortExperiment(name: string, folder: string): Promise<string> {
  expect(runIn(root, 'experiment', ['--help']).stdout).toMatch(new RegExp(`[<| ]${name}[ >]`));
  const module = (await import(`../../src/cli/experiments/${name}.ts`)) as { experiment: ExperimentFile };
  const { reference: _, rows = [], changes, ...about } = module.experiment;
  const [{ reference: _own, ...row }] = rows.filter(({ kind }) => kind === 'train');
  const short = {
    iterations: 1,
    'warmStart.steps': 1,
    'warmStart.demonstrations': 32,
    'evaluation.tasks': 4,
    'rollout.tasks': 2,
    'rollout.group': 4,
  };
  const experiment = { ...about, seeds: 1, changes: { ...changes, ...short }, rows: [row] };
  writeFileSync(join(folder, 'short.json'), JSON.stringify(experiment));
  return 'short.json';
}

describe('README.md', () => {
  test.each(readmeCommands())('%s', async (line) => {
    const { command, script, args } = readLine(line);
    if (script in testedBy && !(script in commands)) {
      expect(existsSync(join(root, testedBy[script])), `${script} has its test`).toBe(true);
      return;
    }
    if (command === null || !(command in commands))
      throw new Error(`No test runs "${line}": give ${script} a line in this file's tables.`);
    const { shorten, prints } = commands[command];
    const folder = files.folderFor(command, args);
    const ended = runIn(folder, command, await shorten(args, folder));
    requireSuccess(ended, line);
    expect(ended.stdout + ended.stderr).toMatch(prints);
  });

  test('every flag that it names is one of a command', () => {
    const known = commandNames().flatMap((name) => flagsOf(name));
    expect(readmeFlags().filter((flag) => ![...known, '--silent', '--help'].includes(flag))).toEqual([]);
  });
});

const everyRunFlag =
  `of-rows.js --preset calculator-mini --seed 2 --iterations 1 --scratch --device cpu --rows rows.jsonl ` +
  [...small, ...smallWarmStart].join(' ');

/** What a run prints, the file that it writes, or the sentence that it ends with. */
type Result = RegExp | string | { readonly refusal: RegExp };

const noModel = { refusal: /^These settings are of a model from nothing/m };
const noRecord = { refusal: /^my-run has no host-calls\.jsonl/m };

/** Runs of each command that together have all of its flags. */
const flagRuns: Readonly<Record<string, Readonly<Record<string, Result>>>> = {
  train: {
    [`${everyRunFlag} --out my-out --save-every 1 --tensorboard --json`]: 'my-out/events.out.tfevents.agentlet',
    '--resume my-run': /^Continuing after iteration \d+ of 30\.$/m,
    'bandit --tools my-run': noRecord,
    [`calculator --model my-model --iterations 1 ${[...small, ...smallWarmStart].join(' ')}`]: /^Done: /m,
  },
  config: { [everyRunFlag]: /^ {2}"seed": 2,$/m, 'calculator --model my-model': /^ {4}"pretrained": \{$/m },
  'make-model': { [`calculator --seed 2 ${smallPretraining} --out other`]: 'other/model.safetensors' },
  env: {
    'new my-own': 'my-own.test.js',
    [`check ${everyRunFlag} --json`]: /^\{.*"solved":/m,
    'check bandit --tools my-run': noRecord,
  },
  eval: {
    'my-run --tasks 4 --split train --samples 2 --temperature 0.5 --device cpu --json --out episodes': 'episodes',
    'run-of-rows --tasks 4 --rows rows.jsonl': / solved after iteration /,
    'my-run --tools my-run': noRecord,
    'my-run --model my-model': noModel,
  },
  estimators: {
    'my-run --iteration 1 --rollouts 2 --gamma 0.9 --lambda 0.9 --longest 8 --buffer 4': /Iteration 1: 2 of 8 rollouts/,
    'my-run --no-advantage-mask --credit-reset --reward-on-tool-token --wrong-groups --json': /^\{.*"gamma":/,
  },
  chat: {
    "my-run 'table 605' --device cpu --tokens": /^(left|right)/m,
    'my-run hello --tools my-run': noRecord,
    'my-run hello --rows rows.jsonl': { refusal: /^Two-armed bandit is not asked about rows: leave out --rows\./m },
    'my-run hi --model my-model': noModel,
  },
  export: {
    'my-run --to jsonl --out rollouts.jsonl': 'rollouts.jsonl',
    'calculator --to sft --tasks 4 --policy oracle': 'sft.jsonl',
    'calculator --to ray --tasks 4': 'ray/launch.sh',
    'my-run --to model --model my-model': noModel,
  },
  experiment: {
    'bandit --seeds 2 --device cpu --publish --out table': 'public/results/bandit.json',
    'bandit --count': /^\d+$/m,
    'bandit --cell 0 --save-every 1': /^\[1\/1\] /m,
    'bandit --collect': { refusal: /^\d+ of \d+ cells are not done in runs\/experiment-bandit: 0 /m },
  },
  record: {
    [`${everyRunFlag} --overwrite --out recording.json`]: 'recording.json',
    'bandit --set warmStart.steps=2 --warm-start --out start.safetensors': 'start.safetensors',
  },
};

describe('--help', () => {
  test('every command has a run here, or a test of its own', () => {
    const names = commandNames();
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !(name in flagRuns) && !(name in testedBy))).toEqual([]);
  });

  test.each(Object.entries(flagRuns))('every flag of %s is in a run', (command, runs) => {
    const used = Object.keys(runs).flatMap(wordsOf);
    const flags = flagsOf(command);
    expect(flags.length).toBeGreaterThan(0);
    expect(flags.filter((flag) => !used.includes(flag))).toEqual([]);
  });

  const lines = Object.entries(flagRuns).flatMap(([command, runs]) =>
    Object.entries(runs).map(([line, result]) => ({ command, line, result })),
  );
  test.each(lines)('$command $line', async ({ command, line, result }) => {
    const args = wordsOf(line);
    const folder = files.folderFor(command, args);
    const given = command === 'experiment' ? await commands.experiment.shorten(args, folder) : args;
    const ended = runIn(folder, command, given);
    if (typeof result === 'object' && 'refusal' in result) {
      expect(ended.status).toBe(1);
      expect(ended.stderr).toMatch(result.refusal);
      return;
    }
    requireSuccess(ended, line);
    if (typeof result === 'string') expect(readFileSync(join(folder, result)).length, result).toBeGreaterThan(0);
    else expect(ended.stdout + ended.stderr).toMatch(result);
  });
});
