/**
 * A run in a terminal: its files, its lines, Ctrl-C. It drives a `Run`, so it recovers as a run of the page does; it is
 * saved after validations instead of by the clock.
 */
import type { Device } from '../device/device';
import { plainText } from '../lib/plain-text';
import type { RunConfig } from '../config/config';
import type { OpenedModel } from '../config/open-model';
import { engineVersion, runLink } from '../config/run-link';
import type { Metrics } from '../rl/report';
import { checkpointWeights, readCheckpointHead } from '../rl/checkpoint';
import { warmStartKind } from '../rl/learner/recorded-start';
import type { IterationResult } from '../rl/trainer';
import type { RunEvent } from '../run/events';
import type { HistoryState } from '../run/history';
import { Run } from '../run/run';
import type { RunStages } from '../run/run-parts';
import type { Session } from '../run/session';
import type { RunSnapshot } from '../run/store/run-snapshot';
import { explainingPatience, explainsNothing, leastExplained } from '../share/critic-health';
import { metricsCsv } from '../share/metrics-csv';
import { validationCurve } from '../share/run-metrics';
import { EventLog } from './event-log';
import type { HostTools } from './host-tools/tools';
import { commandLine } from './place';
import { duration, percent, ProgressBar } from './progress';
import { progressNote } from './progress-note';
import { likelyMs, sizeLine } from './run-size';
import type { RunFolder, RunRecord } from './run-folder';
import { working } from './silence';
import { say } from './terminal';
import { recoveryOf, TerminalDevice, terminalParts } from './terminal-parts';

const criticWarning =
  `Health: for ${explainingPatience} iterations the critic has explained less than ${leastExplained} of the ` +
  `variance of ` +
  'returns, so it is no help. Change critic.learningRate, raise critic.epochs or critic.warmup.';

export interface TrainingPlan {
  readonly preset: string | null;
  readonly config: RunConfig;
  readonly folder: RunFolder;
  /** Set when a run is continued. */
  readonly checkpoint: Uint8Array<ArrayBuffer> | null;
  /** Tools that the environment is given. */
  readonly host: HostTools | null;
  /** The pretrained model of which an adapter is trained. */
  readonly model: OpenedModel | null;
  /** Iterations between two saves; null: validations alone decide. */
  readonly saveEvery: number | null;
  /** Also writes an event file. */
  readonly tensorboard: boolean;
}

type Save = () => Promise<void>;

export class TerminalRun {
  private readonly startMs = performance.now();
  private metrics: Metrics[] = [];
  private success: { start: number | null; warm: number | null; end: number | null } = {
    start: null,
    warm: null,
    end: null,
  };
  private stopping = false;
  private stoppedMs = 0;
  /** What the last validation before the first step took; null if there was none. */
  private validationMs: number | null = null;
  /** Of kernels and warm start. */
  private bar: ProgressBar | null = null;
  private stepBar: ProgressBar | null = null;
  private warned = false;
  /** The last note of the warm start's bar. */
  private warmLoss = '';
  private session!: Session;
  /** What the warm start led to is said already, or was said before the run was continued. */
  private saidWarm = false;
  private isOpened = false;
  private writeProblem: Error | null = null;
  private readonly run: Run;

  private readonly own: TerminalDevice;
  private readonly events: EventLog | null;

  constructor(
    device: Device,
    private readonly plan: TrainingPlan,
    private readonly command: string,
  ) {
    this.own = new TerminalDevice(device);
    this.events = plan.tensorboard ? new EventLog(plan.folder.path) : null;
    const { config, checkpoint } = plan;
    const parts = {
      ...terminalParts(this.own, plan.host, plan.model),
      saved: { save: (_: unknown, snapshot: RunSnapshot) => this.write(snapshot) },
      emit: (event: RunEvent) => this.onEvent(event),
      stages: this.stages(),
    };
    const snapshot = checkpoint && { checkpoint, history: this.readHistory(checkpoint) };
    this.run = new Run(parts, { id: plan.folder.path, config, author: null, snapshot });
  }

  async train() {
    const { device, plan } = this;
    say(`Adapter: ${device.adapter.name}${device.adapter.software ? ' (software)' : ''}. Files: ${plan.folder.path}\n`);
    working('the environment and the model');
    const interrupt = () => this.interrupt();
    process.on('SIGINT', interrupt);
    try {
      this.run.start(Infinity);
      await this.run.ended();
      this.stepBar?.end();
      if (this.writeProblem) throw this.writeProblem;
      plan.folder.writeMetricsCsv(metricsCsv(this.metrics));
      return await this.report();
    } finally {
      process.off('SIGINT', interrupt);
      await this.run.drop();
      this.device.destroy();
    }
  }

  private stages(): RunStages {
    return {
      opened: (session, save, recovering) => this.opened(session, save, recovering),
      warmed: (_, save) => this.warmed(save),
      iterated: (result, save) => this.iterated(result, save),
      onSize: (size) => say(`${sizeLine(this.device.adapter, size)}\n`),
      onWarmLoss: (step, loss, skipped) => {
        this.plan.folder.appendWarmLoss({ step, loss, skipped });
        this.warmLoss = loss === null ? '' : `loss ${loss.toFixed(3)}`;
      },
    };
  }

  private get device(): Device {
    return this.own.current;
  }

  private async opened(session: Session, save: Save, recovering: boolean): Promise<void> {
    this.session = session;
    const { plan } = this;
    const { progress, setup } = session.trainer;
    // What a fault lost is told again, and written again.
    if (recovering) this.metrics = plan.folder.rewind(progress.iteration, progress.warmSteps);
    this.events?.begin(this.metrics);
    if (this.isOpened) return;
    this.isOpened = true;
    if (plan.checkpoint) {
      const validated = this.metrics.filter((each) => each.validationSuccess !== null).at(-1);
      this.success = { ...plan.folder.readRecord().success, end: validated?.validationSuccess ?? null };
      this.saidWarm = progress.warm;
      say(`Continuing ${this.place()}.\n`);
    } else {
      say(`Environment: ${plainText(setup.description.title, 80)}.\n`);
      await save();
      if (this.warmStartKind !== 'recorded') this.success.start = await this.validate();
      this.record();
    }
    if (!this.saidWarm) working('the demonstrations');
  }

  private async warmed(save: Save): Promise<void> {
    if (!this.saidWarm) {
      const { warmStartKind } = this;
      this.success.warm = warmStartKind === 'none' ? this.success.start : await this.validate();
      const as = this.plan.config.model.pretrained ? 'without an adapter' : 'at random';
      const before = this.success.start === null ? '' : `${percent(this.success.start)} ${as}, `;
      const after = warmStartKind === 'recorded' ? 'recorded warm start' : 'warm start';
      say(
        `Success on ${this.plan.config.evaluation.tasks} unseen tasks: ${before}` +
          `${percent(this.success.warm ?? 0)} after the ${after}.\n`,
      );
      this.saidWarm = true;
      await save();
    }
    if (!this.stopping) this.beginSteps();
  }

  private async validate(): Promise<number> {
    const startMs = performance.now();
    const success = await this.session.trainer.validate();
    this.validationMs = performance.now() - startMs;
    return success;
  }

  private get warmStartKind() {
    return warmStartKind(this.plan.config);
  }

  private beginSteps(): void {
    const { config, saveEvery } = this.plan;
    const { iteration } = this.session.trainer.progress;
    if (!this.stepBar) {
      const often = saveEvery === null ? '' : `, after every ${saveEvery} iterations`;
      say(
        `Saves after each validation (iteration 1 and every ${config.evaluation.every} iterations)${often}, ` +
          'at the end and on Ctrl-C.\n',
      );
      if (this.validationMs !== null)
        say(`Likely time: ${duration(likelyMs(config, iteration, this.validationMs))}.\n`);
      this.stepBar = new ProgressBar('RL iteration', config.iterations);
    }
    this.beginStep();
  }

  private beginStep(): void {
    working(`iteration ${this.session.trainer.progress.iteration + 1} of ${this.plan.config.iterations}`);
  }

  private async iterated({ metrics, rollouts }: IterationResult, save: Save): Promise<void> {
    const { folder, saveEvery } = this.plan;
    this.metrics.push(metrics);
    folder.appendMetrics(metrics);
    folder.appendTrajectories(rollouts);
    this.events?.add(metrics);
    if (metrics.validationSuccess !== null) this.success.end = metrics.validationSuccess;
    const isDue = saveEvery !== null && metrics.iteration % saveEvery === 0;
    if (isDue || metrics.validationSuccess !== null) await save();
    this.stepBar?.update(metrics.iteration, progressNote(this.metrics));
    if (!this.warned && explainsNothing(this.metrics)) {
      this.stepBar?.log(criticWarning);
      this.warned = true;
    }
    if (!this.stopping) this.beginStep();
  }

  private onEvent(event: RunEvent): void {
    if (event.type === 'progress') this.showProgress(event);
    const sentence = recoveryOf(event);
    if (sentence === null) return;
    if (this.stepBar) this.stepBar.log(sentence);
    else say(`${sentence}\n`);
  }

  private showProgress({ phase, done, total }: Extract<RunEvent, { type: 'progress' }>): void {
    if (phase === 'evaluating') {
      working('validation', `${done} of ${total} episodes ended`);
      return;
    }
    const label = { compiling: 'Compiling kernels', 'warm-start': 'Warm start' }[phase];
    if (phase === 'warm-start') working('warm start', `step ${Math.min(done + 1, total)} of ${total}`);
    else working('kernels', `${done} of ${total} compiled`);
    if (done === 0 || this.bar === null) this.bar = new ProgressBar(label, total);
    this.bar.update(done, phase === 'warm-start' ? this.warmLoss : '');
  }

  /** What --json prints. */
  private async report() {
    const { plan, metrics, success, device } = this;
    const { progress } = this.session.trainer;
    const mean = (pick: (each: Metrics) => number) =>
      metrics.length === 0 ? 0 : metrics.reduce((sum, each) => sum + pick(each), 0) / metrics.length;
    const seconds = (performance.now() - this.startMs) / 1000;
    say(
      this.stopping
        ? `Stopped ${this.place()}; continue with: ${commandLine('train', ['--resume', plan.folder.path])}\n`
        : `Done: ${percent(success.end ?? 0)} of unseen tasks solved. ${this.sharing()}\n`,
    );
    return {
      preset: plan.preset,
      seed: plan.config.seed,
      iterations: progress.iteration,
      success,
      sampledTokens: progress.sampledTokens,
      sampleTokensPerSecond: Math.round(mean((each) => each.sampleTokensPerSecond)),
      trainTokensPerSecond: Math.round(mean((each) => each.trainTokensPerSecond)),
      fingerprint: progress.fingerprint.join('.'),
      link: await this.link(),
      seconds: Math.round(seconds * 10) / 10,
      adapter: device.adapter.name,
      stopped: this.stopping,
    };
  }

  /** How others get the run. */
  private sharing(): string {
    const { path } = this.plan.folder;
    return this.plan.host
      ? `To share the run, give away its folder, ${path}: it has what the host's tools answered.`
      : `To share the run, put the text of ${path}/link.txt behind the page's address and #/lab?`;
  }

  /** The progress of the run, in words. */
  private place(): string {
    const { warm, warmSteps, iteration } = this.session.trainer.progress;
    const { warmStart, iterations } = this.plan.config;
    return warm
      ? `after iteration ${iteration} of ${iterations}`
      : `after step ${warmSteps} of ${warmStart.steps} of the warm start`;
  }

  /** A file that cannot be written ends the run. */
  private async write({ checkpoint }: RunSnapshot): Promise<void> {
    const { folder } = this.plan;
    try {
      folder.writeCheckpoint(checkpoint);
      const { adapterFiles } = this.session.trainer.setup.model;
      if (adapterFiles) folder.writeAdapter(adapterFiles(checkpointWeights(checkpoint)));
      folder.writeLink(await this.link());
      this.record();
    } catch (error) {
      this.writeProblem = error as Error;
      this.run.gate.interrupt(this.writeProblem);
    }
  }

  private link(): Promise<string> {
    const { plan, device, metrics } = this;
    return runLink(plan.config, {
      validation: validationCurve(metrics),
      fingerprint: this.session.trainer.progress.fingerprint,
      adapter: device.adapter.name,
      device: device.adapter.kind,
    });
  }

  private record(): void {
    const { plan, device, success, command } = this;
    const before: Partial<RunRecord> = plan.checkpoint ? plan.folder.readRecord() : {};
    plan.folder.writeRecord({
      preset: plan.preset,
      config: this.session.trainer.setup.savedConfig,
      adapter: device.adapter.name,
      engineVersion,
      nodeVersion: process.version,
      date: before.date ?? new Date().toISOString(),
      command: before.command ?? command,
      success,
    });
  }

  /** The run's metrics up to its checkpoint, as a run of the page would have kept them. */
  private readHistory(checkpoint: Uint8Array): HistoryState {
    const { iteration, warmSteps } = readCheckpointHead(checkpoint).progress;
    this.metrics = this.plan.folder.rewind(iteration, warmSteps);
    const success = new Map(this.metrics.map((each) => [each.iteration, each.success]));
    const curve = Array.from({ length: iteration }, (_, i) => success.get(i + 1) ?? 0);
    return { metrics: [...this.metrics], rollouts: [], warmLosses: [], curve };
  }

  /** The first Ctrl-C ends the run after this iteration and saves it; the second ends it at once. */
  private interrupt(): void {
    const now = performance.now();
    // npm forwards the signal that the terminal has already sent.
    if (this.stopping && now - this.stoppedMs < 1000) return;
    if (this.stopping) process.exit(130);
    this.stopping = true;
    this.stoppedMs = now;
    this.run.stop();
    say('\nFinishing this iteration, then saving. Press Ctrl-C again to stop at once.\n');
  }
}
