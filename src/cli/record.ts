/**
 * `record <run>`: trains a run and writes the recording that the page replays; with `--warm-start`, writes the weights
 * after its warm start, which presets start from. Numbers of a recording are rounded to three digits.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Split } from '../agent/environment-client';
import type { Trajectory } from '../agent/types';
import { evenly } from '../lib/evenly';
import type { RunConfig } from '../config/config';
import { zeroCredit } from '../algorithms/credit';
import { Evaluation, successRate } from '../rl/rollouts/evaluation';
import { meanRewardTerms } from '../rl/rollouts/metrics';
import { meanAndStd } from '../algorithms/episodes/groups';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import { rolloutView } from '../rl/rollouts/view';
import { engineVersion } from '../config/run-link';
import type { RunEvent } from '../run/events';
import { Run } from '../run/run';
import type { RunStages } from '../run/run-parts';
import type { Session } from '../run/session';
import { Trainer } from '../rl/trainer';
import type { HeldOutSuccess, Recording } from '../share/recording';
import { packRecording } from '../share/recording-file';
import { vocabularyOf } from '../text/tokenizer';
import { parseCommand, type CommandSpec } from './args';
import { deviceChoice, openDevice, orCpu } from './engine';
import { imitatedStart, quietHooks } from './recorded-start';
import { requireSoundEnvironment } from './env';
import { commandLine } from './place';
import { ProgressBar } from './progress';
import { givenRun, runFlags, runPositional, settingsHelp, type GivenRun } from './run-config';
import { makeFolder } from './safe-files';
import { say } from './terminal';
import { recoveryOf, TerminalDevice, terminalParts } from './terminal-parts';

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

/** Most bytes of a recording's file. */
const sizeLimit = 150_000;
/** Iterations whose rollouts are recorded: as many as the file has room for. */
const moments = { most: 7, least: 3 };
/** Whole groups of each, so that group statistics can be computed again. */
const keptGroups = 4;
/** Unseen tasks whose answers are recorded. */
const askedTasks = 4;
/** Of each split, on which success before and after is measured: the standard error is at most 1.6 points. */
const heldOutTasks = 1000;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  // Where it is recorded is no part of the recorded config: a preset's names no device.
  const { device: where, ...flags } = parsed.flags;
  const given = await givenRun(parsed.positionals[0], flags);
  await requireSoundEnvironment(given.config);
  const isStart = flags['warm-start'];
  const path = flags.out ?? standardPath(given, isStart);
  if (existsSync(path) && !flags.overwrite)
    throw new Error(`${path} exists already: name another file with --out, or add --overwrite.`);
  makeFolder(dirname(path));
  const command = commandLine('record', args);
  const opened = await openDevice(where === undefined ? orCpu(given.config.device) : deviceChoice(where));
  const device = new TerminalDevice(opened);
  const content = isStart
    ? await imitatedStart(opened, given.config, given.source, command)
    : await recordRun(device, given, command);
  writeFileSync(path, content);
  say(`Wrote ${path}.\n`);
  device.current.destroy();
  return 0;
}

/** Where the page looks for a preset's files. */
function standardPath({ preset }: GivenRun, isStart: boolean): string {
  if (preset === null) throw new Error('This run is no preset’s, so name the file to write with --out.');
  return isStart
    ? join('public', 'checkpoints', `${preset}.safetensors`)
    : join('public', 'recordings', `${preset}.json`);
}

/** What a recording takes of a run as it goes. Of what a fault takes back, the recording forgets too. */
class Recorder {
  readonly metrics: Metrics[] = [];
  readonly groups: RolloutView[][][] = [];
  /** At the beginning, in the middle and at the end. */
  readonly answered: RolloutView[][] = [];
  warmStart: HeldOutSuccess | null = null;
  session!: Session;
  private readonly bar: ProgressBar;
  private readonly middle: number;

  constructor(iterations: number) {
    this.bar = new ProgressBar('Recording', iterations);
    this.middle = Math.round(iterations / 2);
  }

  readonly stages: RunStages = {
    opened: async (session) => {
      this.session = session;
      const { iteration, warm } = session.trainer.progress;
      this.metrics.length = Math.min(this.metrics.length, iteration);
      this.groups.length = this.metrics.length;
      const reached = warm ? (iteration >= this.middle ? 2 : 1) : 0;
      this.answered.length = Math.min(this.answered.length, reached);
    },
    warmed: async ({ trainer }, save) => {
      if (this.answered.length > 0) return;
      this.answered.push(await answers(trainer));
      this.warmStart = await heldOutSuccess(trainer);
      await save();
    },
    iterated: async ({ metrics, rollouts }, save) => {
      this.metrics.push(shortened(metrics));
      this.groups.push(differingGroups(rollouts.map(lean)));
      if (this.metrics.length === this.middle) this.answered.push(await answers(this.session.trainer));
      this.bar.update(metrics.iteration, `success ${(100 * metrics.success).toFixed(0)} %`);
      if (metrics.validationSuccess !== null) await save();
    },
    onSize: () => undefined,
    onWarmLoss: () => undefined,
  };
}

async function recordRun(device: TerminalDevice, { config, name }: GivenRun, command: string): Promise<string> {
  const startMs = performance.now();
  const recorder = new Recorder(config.iterations);
  const saved = { save: async () => undefined };
  const emit = (event: RunEvent) => {
    const sentence = recoveryOf(event);
    if (sentence !== null) say(`${sentence}\n`);
  };
  const run = new Run(
    { ...terminalParts(device), saved, emit, stages: recorder.stages },
    { id: name, config, author: null, snapshot: null },
  );
  run.start(Infinity);
  await run.ended();
  const { trainer } = recorder.session;
  recorder.answered.push(await answers(trainer));
  const { metrics, groups } = recorder;
  const about = {
    engineVersion,
    preset: name,
    config: trainer.setup.savedConfig,
    adapter: device.current.adapter.name,
    date: new Date().toISOString(),
    command,
    seconds: Math.round((performance.now() - startMs) / 1000),
    vocabulary: vocabularyOf(trainer.setup.model.tokenizer),
    specialTokens: trainer.setup.model.tokenizer.special.ids,
    parameters: trainer.parameters,
    fingerprint: trainer.progress.fingerprint,
    heldOut: shortened({
      tasks: heldOutTasks,
      warmStart: recorder.warmStart!,
      end: await heldOutSuccess(trainer),
    }),
    metrics,
    groups: config.rollout.tasks,
    answers: answersByTask(recorder.answered),
  };
  await run.drop();
  return largestThatFits((count) => ({ ...about, rollouts: chooseMoments(groups, count).flat(2) }));
}

/** The file with the most moments that is within the limit, else the one with the least. */
function largestThatFits(recordingOf: (moments: number) => Recording<RunConfig, Metrics, RolloutView>): string {
  for (let count = moments.most; ; count--) {
    const text = `${JSON.stringify(packRecording(recordingOf(count)))}\n`;
    const size = Buffer.byteLength(text);
    if (size <= sizeLimit) return text;
    if (count > moments.least) continue;
    say(`The recording has ${size} bytes, more than the ${sizeLimit} that a preset's may have.\n`);
    return text;
  }
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

/** The first, the last and evenly spaced iterations among those with enough groups, and those groups of each. */
function chooseMoments(iterations: readonly RolloutView[][][], count: number): readonly RolloutView[][][] {
  const eligible = iterations.filter((groups) => groups.length >= keptGroups);
  return evenly(eligible, count).map((groups) => groups.slice(0, keptGroups));
}

/** Greedy rollouts on the validation tasks. */
async function answers(trainer: Trainer): Promise<RolloutView[]> {
  const { iteration } = trainer.progress;
  const { evaluation, algorithm } = trainer.setup.config;
  const trajectories = await greedily(trainer, 'validation', evaluation.tasks);
  return trajectories.map((each, index) =>
    lean(rolloutView(each, { iteration, index }, zeroCredit(each), algorithm.lossMask)),
  );
}

/** Success and reward terms on more tasks than the run is validated on. */
async function heldOutSuccess(trainer: Trainer): Promise<HeldOutSuccess> {
  const validation = await greedily(trainer, 'validation', heldOutTasks);
  const hasOther = trainer.setup.description.outOfDistribution !== undefined;
  const beyond = hasOther ? await greedily(trainer, 'out-of-distribution', heldOutTasks) : null;
  return {
    validation: successRate(validation),
    outOfDistribution: beyond && successRate(beyond),
    rewardTerms: { validation: meanRewardTerms(validation), outOfDistribution: beyond && meanRewardTerms(beyond) },
  };
}

function greedily({ setup, sampler }: Trainer, split: Split, tasks: number): Promise<Trajectory[]> {
  sampler.clearCache();
  return new Evaluation(setup, tasks).run(sampler, quietHooks, split);
}

/** Answers of all checkpoints to one task each: first a task that is unsolved at first and solved at the end. */
function answersByTask(checkpoints: readonly (readonly RolloutView[])[]): RolloutView[][] {
  const tasks = checkpoints[0].map((_, i) => checkpoints.map((answered) => answered[i]));
  const learned = tasks.find((task) => !task[0].success && task.at(-1)!.success);
  const others = tasks.filter((task) => task !== learned);
  return [...(learned ? [learned] : []), ...others].slice(0, askedTasks);
}

/** Without the fuel of calls, which is shown only where it ran out, and the columns that only a live run shows. */
function lean(rollout: RolloutView): RolloutView {
  const steps = rollout.steps.map(({ references: _r, values: _v, ...step }) => ({
    ...step,
    toolCalls: step.toolCalls.map(({ fuel, ...call }) => (call.killed ? { ...call, fuel } : call)),
  }));
  return shortened({ ...rollout, steps });
}

/** With numbers of three digits. */
function shortened<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, shorten)) as T;
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(3)) : value;
}
