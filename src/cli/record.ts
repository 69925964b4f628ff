/**
 * `record <run>`: trains a run and writes the recording that the page replays; with `--warm-start`, writes the weights
 * after its warm start, which presets start from. Numbers of a recording are rounded to four digits.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Trajectory } from '../agent/types';
import type { Device } from '../device/device';
import type { RunConfig } from '../rl/config/config';
import { zeroCredit } from '../rl/algorithms/credit';
import { Evaluation } from '../rl/rollouts/evaluation';
import { meanAndStd } from '../rl/episodes/groups';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import { writeRecordedStart } from '../rl/learner/recorded-start';
import { rolloutView } from '../rl/rollouts/view';
import { engineVersion } from '../rl/config/run-link';
import { iterations, warmUp } from '../rl/run';
import { Trainer } from '../rl/trainer';
import type { Recording } from '../share/recording';
import { specialIds, vocabularyOf } from '../text/tokenizer';
import { parseCommand, type CommandSpec } from './args';
import { openDevice, orCpu, openSandbox, quietHooks } from './engine';
import { demandSoundEnvironment } from './env';
import { Progress } from './progress';
import { givenRun, runFlags, runPositional, settingsHelp, type GivenRun } from './run-config';
import { makeFolder } from './safe-files';
import { say } from './terminal';

const flags = {
  ...runFlags,
  out: {
    kind: 'text',
    help: 'file to write (default: recordings/<preset>.json or checkpoints/<preset>.safetensors in public)',
    value: 'FILE',
  },
  'warm-start': { kind: 'flag', help: 'write the weights after the warm start instead of a recorded run' },
  overwrite: { kind: 'flag', help: 'replace the file if it exists' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'record',
  positionals: runPositional,
  count: { min: 1, max: 1 },
  flags,
  more: settingsHelp,
};

/** Iterations whose rollouts are recorded. */
const moments = 7;
/** Whole groups of each, so that group statistics can be computed again. */
const keptGroups = 4;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const given = await givenRun(parsed.positionals[0], parsed.flags);
  await demandSoundEnvironment(given.config);
  const isStart = parsed.flags['warm-start'];
  const path = parsed.flags.out ?? standardPath(given, isStart);
  if (existsSync(path) && !parsed.flags.overwrite)
    throw new Error(`${path} exists already: name another file with --out, or add --overwrite.`);
  makeFolder(dirname(path));
  const command = `npm run record -- ${args.join(' ')}`;
  const device = await openDevice(orCpu(given.config.device));
  const content = isStart
    ? await recordStart(device, given, command)
    : `${JSON.stringify(await recordRun(device, given, command), shorten)}\n`;
  writeFileSync(path, content);
  say(`Wrote ${path}.\n`);
  device.destroy();
  return 0;
}

/** Where the page looks for a preset's files. */
function standardPath({ preset }: GivenRun, isStart: boolean): string {
  if (preset === null) throw new Error('This run is no preset’s, so name the file to write with --out.');
  return isStart
    ? join('public', 'checkpoints', `${preset}.safetensors`)
    : join('public', 'recordings', `${preset}.json`);
}

async function recordStart(device: Device, { config: given, source }: GivenRun, command: string): Promise<Uint8Array> {
  const config = { ...given, warmStart: { ...given.warmStart, recorded: false } };
  const bar = new Progress('Warm start', config.warmStart.steps);
  const onProgress = (phase: string, done: number) => phase === 'warm-start' && bar.update(done);
  const trainer = await Trainer.create(device, await openSandbox(), config, source, { ...quietHooks, onProgress });
  await warmUp(trainer);
  const record = {
    config: trainer.setup.savedConfig,
    adapter: device.adapter.name,
    date: new Date().toISOString(),
    command,
  };
  return writeRecordedStart(trainer.store, trainer.setup.tokenizer, record);
}

async function recordRun(
  device: Device,
  { config, source, name }: GivenRun,
  command: string,
): Promise<Recording<RunConfig, Metrics, RolloutView>> {
  const bar = new Progress('Recording', config.iterations);
  const startMs = performance.now();
  const trainer = await Trainer.create(device, await openSandbox(), config, source, quietHooks);
  await warmUp(trainer);
  const before = await answers(trainer);
  const metrics: Metrics[] = [];
  const groups: RolloutView[][][] = [];
  for await (const iteration of iterations(trainer)) {
    metrics.push(iteration.metrics);
    groups.push(differingGroups(iteration.rollouts));
    bar.update(iteration.metrics.iteration, `success ${(100 * iteration.metrics.success).toFixed(0)} %`);
  }
  const examples = beforeAfter(before, await answers(trainer), config);
  return {
    format: 1,
    engineVersion,
    preset: name,
    config: trainer.setup.savedConfig,
    adapter: device.adapter.name,
    date: new Date().toISOString(),
    command,
    seconds: Math.round((performance.now() - startMs) / 1000),
    vocabulary: vocabularyOf(trainer.setup.tokenizer),
    specialTokens: specialIds,
    parameters: trainer.parameters,
    fingerprint: trainer.progress.fingerprint,
    metrics,
    rollouts: chooseMoments(groups).flatMap((each) => each.slice(0, keptGroups).flat()),
    groups: config.rollout.tasks,
    ...(examples && { beforeAfter: examples }),
  };
}

/** Groups of an iteration whose rewards differ, the most different first. */
function differingGroups(rollouts: readonly RolloutView[]): RolloutView[][] {
  const groups = new Map<number, RolloutView[]>();
  for (const rollout of rollouts) groups.set(rollout.group, [...(groups.get(rollout.group) ?? []), rollout]);
  return [...groups.values()]
    .map((group) => ({ group, deviation: meanAndStd(group.map(({ reward }) => reward)).std }))
    .filter(({ deviation }) => deviation > 0)
    .sort((a, b) => b.deviation - a.deviation)
    .map(({ group }) => group);
}

/** The first, the last and evenly spaced iterations among those with enough groups. */
function chooseMoments(iterations: readonly RolloutView[][][]): readonly RolloutView[][][] {
  const eligible = iterations.filter((groups) => groups.length >= keptGroups);
  if (eligible.length <= moments) return eligible;
  return Array.from({ length: moments }, (_, i) => eligible[Math.round((i * (eligible.length - 1)) / (moments - 1))]);
}

/** Greedy rollouts on the unseen tasks. */
function answers({ setup, sampler }: Trainer): Promise<Trajectory[]> {
  sampler.clearCache();
  return new Evaluation(setup).run(sampler, quietHooks, 'validation');
}

/** The first task that reinforcement brought from unsolved to solved: both rollouts. */
function beforeAfter(before: readonly Trajectory[], after: readonly Trajectory[], config: RunConfig) {
  const index = after.findIndex(({ success }, i) => success && !before[i].success);
  if (index < 0) return null;
  const view = (trajectory: Trajectory, iteration: number) =>
    rolloutView(trajectory, { iteration, index }, zeroCredit(trajectory), config.algorithm.lossMask);
  return { before: view(before[index], 0), after: view(after[index], config.iterations) };
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
