/** `train <preset | env.js | config.json | link>`: trains in a terminal and writes the run's files. */
import type { Device } from '../device/device';
import { plainText } from '../lib/plain-text';
import { readCheckpointHead, restoreCheckpoint, saveCheckpoint } from '../rl/checkpoint';
import { configNotices, type RunConfig } from '../rl/config/config';
import type { Metrics } from '../rl/report';
import { presets } from '../rl/config/presets';
import { warmStartKind } from '../rl/learner/recorded-start';
import { engineVersion, runLink } from '../rl/config/run-link';
import { iterations, warmUp } from '../rl/run';
import { validationCurve } from '../share/run-metrics';
import { Trainer, type TrainerHooks } from '../rl/trainer';
import { parseCommand, type CommandSpec } from './args';
import { openDevice, openSandbox, readRecordedStart } from './engine';
import { demandSoundEnvironment } from './env';
import { percent, Progress } from './progress';
import { givenRun, runFlags, runPositional, settingsHelp } from './run-config';
import { withGivenRows } from './rows-file';
import { RunFolder, type RunRecord } from './run-folder';
import { terminalCurve } from './terminal-curve';
import { printJson, say } from './terminal';

const flags = {
  ...runFlags,
  out: {
    kind: 'text',
    help: 'folder for the run’s files (default: runs/<preset or environment>-seed<seed>)',
    value: 'DIR',
  },
  resume: { kind: 'text', help: 'continue the run in this folder from its checkpoint', value: 'DIR' },
  json: { kind: 'flag', help: 'print one JSON object last, on standard output' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'train',
  positionals: runPositional,
  count: { min: 0, max: 1 },
  flags,
  more: settingsHelp,
};

/** Characters of the curve beside the progress bar. */
const curveWidth = 24;

interface Plan {
  readonly preset: string | null;
  readonly config: RunConfig;
  readonly folder: RunFolder;
  /** Source of the environment: the checkpoint's own when a run is continued. */
  readonly source: string;
  /** Set when a run is continued. */
  readonly checkpoint: Uint8Array | null;
}

/** Thrown inside the warm start when Ctrl-C was pressed. */
class Stopped extends Error {}

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const plan = await planFrom(parsed.positionals[0], parsed.flags);
  const device = await openDevice(plan.config.device);
  const session = new Session(device, plan, `npm run train -- ${args.join(' ')}`);
  try {
    const report = await session.run();
    if (parsed.flags.json) printJson(report);
    return report.stopped ? 130 : 0;
  } finally {
    device.destroy();
  }
}

type Flags = NonNullable<ReturnType<typeof parseCommand<typeof flags>>>['flags'];

async function planFrom(subject: string | undefined, given: Flags): Promise<Plan> {
  if (given.resume !== undefined) {
    const { preset, set, seed, iterations, scratch, out, device, rows } = given;
    const settings = [subject, preset, seed, iterations, out, device].filter((each) => each !== undefined);
    if (settings.length > 0 || set.length > 0 || scratch) {
      throw new Error('--resume continues a run as it was begun: give no preset and no other setting with it.');
    }
    const folder = RunFolder.open(given.resume);
    const checkpoint = folder.readCheckpoint();
    const { config: saved, source } = readCheckpointHead(checkpoint);
    const config = await withGivenRows(saved, rows);
    return { preset: folder.readRecord().preset, config, source, folder, checkpoint };
  }
  if (subject === undefined)
    throw new Error(
      `train needs a preset (${presets.map(({ name }) => name).join(', ')}), ` +
        `an environment's .js file, a JSON file of settings, or a link.`,
    );
  const { preset, name, config, source, file } = await givenRun(subject, given);
  for (const notice of configNotices(config)) say(`${notice}\n`);
  await demandSoundEnvironment(config, file);
  return {
    preset,
    config,
    source,
    folder: RunFolder.create(given.out, `${name}-seed${config.seed}`),
    checkpoint: null,
  };
}

class Session {
  private readonly startMs = performance.now();
  private readonly metrics: Metrics[] = [];
  private success: { start: number | null; warm: number | null; end: number | null } = {
    start: null,
    warm: null,
    end: null,
  };
  private stopping = false;
  private stoppedMs = 0;
  private bar: Progress | null = null;
  /** The last note of the warm start's bar. */
  private warmLoss = '';
  private trainer!: Trainer;

  constructor(
    private readonly device: Device,
    private readonly plan: Plan,
    private readonly command: string,
  ) {}

  async run() {
    const { device, plan } = this;
    const { config, source, folder, checkpoint } = plan;
    say(`Adapter: ${device.adapter.name}${device.adapter.software ? ' (software)' : ''}. Files: ${folder.path}\n`);
    const interrupt = () => this.interrupt();
    process.on('SIGINT', interrupt);
    this.trainer = await Trainer.create(device, await openSandbox(), config, source, this.hooks());
    try {
      if (checkpoint) await this.restore(checkpoint);
      else await this.begin();
      await this.iterate();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
    process.off('SIGINT', interrupt);
    return this.finish();
  }

  private async begin(): Promise<void> {
    const { trainer } = this;
    say(
      `Model: ${trainer.parameters.toLocaleString('en')} parameters. ` +
        `Environment: ${plainText(trainer.setup.description.title, 80)}.\n`,
    );
    await this.save();
    if (this.warmStartKind !== 'recorded') this.success.start = await trainer.validate();
    this.record();
    await this.warmStart();
  }

  private async warmStart(): Promise<void> {
    const { trainer, plan } = this;
    const { evaluation } = plan.config;
    await warmUp(trainer);
    const { warmStartKind } = this;
    this.success.warm = warmStartKind === 'none' ? this.success.start : await trainer.validate();
    const before = this.success.start === null ? '' : `${percent(this.success.start)} at random, `;
    const after = warmStartKind === 'recorded' ? 'recorded warm start' : 'warm start';
    say(
      `Success on ${evaluation.tasks} unseen tasks: ${before}${percent(this.success.warm ?? 0)} after the ${after}.\n`,
    );
    await this.save();
  }

  private get warmStartKind() {
    return warmStartKind(this.plan.config);
  }

  private async restore(checkpoint: Uint8Array): Promise<void> {
    const { trainer, plan } = this;
    restoreCheckpoint(trainer, checkpoint);
    this.metrics.push(...plan.folder.rewind(trainer.progress.iteration, trainer.progress.warmSteps));
    const validated = this.metrics.filter((each) => each.validationSuccess !== null).at(-1);
    this.success = { ...plan.folder.readRecord().success, end: validated?.validationSuccess ?? null };
    say(`Continuing ${this.place()}.\n`);
    if (!trainer.progress.warm) await this.warmStart();
  }

  private async iterate(): Promise<void> {
    const { trainer, plan } = this;
    if (this.stopping) return;
    const bar = new Progress('RL step', plan.config.iterations);
    for await (const { metrics, rollouts } of iterations(trainer)) {
      this.metrics.push(metrics);
      plan.folder.appendMetrics(metrics);
      plan.folder.appendTrajectories(rollouts);
      if (metrics.validationSuccess !== null) {
        this.success.end = metrics.validationSuccess;
        await this.save();
      }
      const curve = terminalCurve(
        this.metrics.map((each) => each.success),
        curveWidth,
        0,
        1,
      );
      const validated = this.success.end === null ? '' : `, unseen tasks ${percent(this.success.end)}`;
      bar.update(metrics.iteration, `practice ${percent(metrics.success)}${validated}  ${curve}`);
      if (this.stopping) break;
    }
    bar.end();
  }

  private async finish() {
    const { trainer, plan, metrics, success } = this;
    if (trainer.isBetweenUpdates) await this.save();
    const mean = (pick: (each: Metrics) => number) =>
      metrics.length === 0 ? 0 : metrics.reduce((sum, each) => sum + pick(each), 0) / metrics.length;
    const seconds = (performance.now() - this.startMs) / 1000;
    say(
      this.stopping
        ? `Stopped ${this.place()}; continue with: npm run train -- --resume ${plan.folder.path}\n`
        : `Done: ${percent(success.end ?? 0)} of unseen tasks solved. To share the run, ` +
            `put the text of ${plan.folder.path}/link.txt behind the page's address and #/lab?\n`,
    );
    return {
      preset: plan.preset,
      seed: plan.config.seed,
      iterations: trainer.progress.iteration,
      success,
      sampledTokens: trainer.progress.sampledTokens,
      sampleTokensPerSecond: Math.round(mean((each) => each.sampleTokensPerSecond)),
      trainTokensPerSecond: Math.round(mean((each) => each.trainTokensPerSecond)),
      fingerprint: trainer.progress.fingerprint.join('.'),
      link: await this.link(),
      seconds: Math.round(seconds * 10) / 10,
      adapter: this.device.adapter.name,
      stopped: this.stopping,
    };
  }

  /** The progress of the run, in words. */
  private place(): string {
    const { warm, warmSteps, iteration } = this.trainer.progress;
    const { warmStart, iterations } = this.plan.config;
    return warm
      ? `after iteration ${iteration} of ${iterations}`
      : `after step ${warmSteps} of ${warmStart.steps} of the warm start`;
  }

  private async save(): Promise<void> {
    const { trainer, plan, device } = this;
    plan.folder.writeCheckpoint(await saveCheckpoint(device, trainer, plan.source));
    plan.folder.writeLink(await this.link());
    this.record();
  }

  private link(): Promise<string> {
    const { trainer, plan, device, metrics } = this;
    return runLink(plan.config, {
      validation: validationCurve(metrics),
      fingerprint: trainer.progress.fingerprint,
      adapter: device.adapter.name,
      device: device.adapter.kind,
    });
  }

  private record(): void {
    const { plan, device, success, command, trainer } = this;
    const before: Partial<RunRecord> = plan.checkpoint ? plan.folder.readRecord() : {};
    plan.folder.writeRecord({
      preset: plan.preset,
      config: trainer.setup.savedConfig,
      adapter: device.adapter.name,
      engineVersion,
      nodeVersion: process.version,
      date: before.date ?? new Date().toISOString(),
      command: before.command ?? command,
      success,
    });
  }

  private hooks(): TrainerHooks {
    const label = { compiling: 'Compiling kernels', 'warm-start': 'Warm start', evaluating: '' };
    return {
      beforeSubmit: async () => {
        if (this.stopping && !this.trainer.progress.warm) throw new Stopped();
      },
      onTurn: () => undefined,
      onWarmLoss: (step, loss, skipped) => {
        this.plan.folder.appendWarmLoss({ step, loss, skipped });
        this.warmLoss = loss === null ? '' : `loss ${loss.toFixed(3)}`;
      },
      readRecordedStart,
      onProgress: (phase, done, total) => {
        if (phase === 'evaluating') return;
        if (done === 0 || this.bar === null) this.bar = new Progress(label[phase], total);
        this.bar.update(done, phase === 'warm-start' ? this.warmLoss : '');
      },
    };
  }

  /** The first Ctrl-C ends the run after this iteration and saves it; the second ends it at once. */
  private interrupt(): void {
    const now = performance.now();
    // npm forwards the signal that the terminal has already sent.
    if (this.stopping && now - this.stoppedMs < 1000) return;
    if (this.stopping) process.exit(130);
    this.stopping = true;
    this.stoppedMs = now;
    say('\nFinishing this iteration, then saving. Press Ctrl-C again to stop at once.\n');
  }
}
