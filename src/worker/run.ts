/**
 * One run in the trainer worker: prepares, warm-starts, iterates until done or dropped, and tells the page. It owns the
 * trainer and is never reused; a new config is a new run.
 */
import type { Sandbox } from '../agent/sandbox';
import type { LiveStep } from '../agent/flow';
import type { Device } from '../gpu/device';
import { identicalTo } from '../lib/fingerprint';
import { specialIds, vocabularyOf } from '../text/tokenizer';
import { saveCheckpoint } from '../rl/checkpoint';
import type { RunConfig } from '../rl/config';
import { chatWith, type ChatListener } from '../rl/chat';
import { Sampler } from '../model/sampler';
import { environmentSource } from '../rl/environment-source';
import { Trainer } from '../rl/trainer';
import type { RunSoFar } from '../rl/run-link';
import { Gate, RunDropped } from './gate';
import type { OpenedLink, RunEvent } from './protocol';

/** Live text at most this often. */
const liveIntervalMs = 100;

export class Run {
  readonly gate: Gate;
  readonly curve: number[] = [];
  private trainer: Trainer | null = null;
  private chatSampler: Promise<Sampler> | null = null;
  /** Questions are answered one after another, and a run is not freed under one. */
  private chatting: Promise<void> = Promise.resolve();
  private iterationsLeft = Infinity;
  private lastLiveMs = 0;
  private done: Promise<void> = Promise.resolve();
  /** Checkpoints asked for while an iteration was under way. */
  private readonly saves: { readonly save: () => Promise<void>; readonly reject: (reason: Error) => void }[] = [];

  constructor(
    private readonly device: Device,
    private readonly sandbox: Sandbox,
    readonly config: RunConfig,
    private readonly author: OpenedLink | null,
    private readonly emit: (event: RunEvent) => void,
  ) {
    this.gate = new Gate(() => emit({ type: 'state', state: 'paused' }));
  }

  /** Begins; the run tells its end by events. @param iterations how many to do before pausing */
  start(iterations: number): void {
    this.iterationsLeft = iterations;
    this.done = this.live()
      .catch((error: unknown) => {
        // A lost device is reported by whoever opened it.
        if (error instanceof RunDropped || this.device.lost) return;
        this.emit({ type: 'state', state: 'failed', message: error instanceof Error ? error.message : String(error) });
      })
      .finally(() => {
        this.gate.end();
        this.refuseSaves();
      });
  }

  /** Lets a paused run do so many more iterations. */
  resume(iterations: number): void {
    this.iterationsLeft = iterations;
    this.emit({ type: 'state', state: 'running' });
    this.gate.release();
  }

  async pause(): Promise<void> {
    if (this.gate.hasEnded) return;
    this.emit({ type: 'state', state: 'pausing' });
    await this.gate.close();
  }

  /** Ends the run and frees its memory. */
  async drop(): Promise<void> {
    this.gate.drop();
    await Promise.all([this.done, this.chatting]);
    const sampler = await this.chatSampler?.catch(() => null);
    sampler?.destroy();
    this.trainer?.destroy();
    this.trainer = null;
  }

  get soFar(): RunSoFar {
    return { curve: this.curve, fingerprint: this.trainer?.progress.fingerprint ?? [], adapter: this.device.adapter.name };
  }

  /** The state between two iterations: as it stands where the run waits or has ended there, else as soon as this iteration is over. */
  checkpoint(): Promise<Uint8Array> {
    const { trainer } = this;
    if (!trainer) throw new Error('There is nothing to save yet: press Train first.');
    const save = () => saveCheckpoint(this.device, trainer, environmentSource(this.config));
    const still = this.gate.hasEnded || this.gate.isWaiting;
    if (still && trainer.isBetweenIterations) return save();
    if (still) throw new Error('The run stands in the middle of its warm start or of an update: press Step, then save.');
    return new Promise((resolve, reject) => this.saves.push({ save: () => save().then(resolve, reject), reject }));
  }

  chat(message: string, listener: ChatListener): Promise<void> {
    const { trainer } = this;
    if (!trainer) throw new Error('There is no agent to talk to yet: press Train first.');
    const answer = this.chatting.then(async () => {
      const { stage, store } = trainer;
      const options = { slots: 1, contextLength: this.config.model.context, between: this.gate.check };
      this.chatSampler ??= Sampler.create(this.device, store, stage.shape, options);
      await chatWith(stage, await this.chatSampler, message, listener);
    });
    this.chatting = answer.catch(() => undefined);
    return answer;
  }

  private refuseSaves(): void {
    for (const { reject } of this.saves.splice(0)) reject(new Error('The run ended before it could be saved.'));
  }

  /** A validation or memory error turns later commands into nothing, so no number after it can be trusted. */
  private demandSoundDevice(): void {
    const { taint } = this.device;
    if (taint !== null)
      throw new Error(`The GPU reported an error, so this run's numbers cannot be trusted: ${taint} Press Reset, then Train.`);
  }

  private async live(): Promise<void> {
    const { device, sandbox, config, emit, gate } = this;
    emit({ type: 'state', state: 'preparing' });
    const trainer = await Trainer.create(device, sandbox, config, environmentSource(config), {
      between: gate.pass,
      onProgress: (phase, done, total) => emit({ type: 'progress', phase, done, total }),
      onWarmLoss: (step, loss) => emit({ type: 'warm-loss', step, loss }),
      onTurn: (steps) => this.showLive(steps),
    });
    this.trainer = trainer;
    const vocabulary = vocabularyOf(trainer.stage.tokenizer);
    emit({ type: 'started', config, vocabulary, specialTokens: specialIds, parameters: trainer.parameters });
    await trainer.warmStart();
    this.demandSoundDevice();
    if (!gate.isClosed) emit({ type: 'state', state: 'running' });
    while (trainer.progress.iteration < config.iterations) {
      await gate.pass();
      const { metrics, rollouts } = await trainer.iterate();
      this.demandSoundDevice();
      this.curve.push(metrics.success);
      emit({ type: 'iteration', metrics, rollouts, fingerprint: trainer.progress.fingerprint });
      this.compare();
      for (const { save } of this.saves.splice(0)) await save();
      if (--this.iterationsLeft <= 0 && trainer.progress.iteration < config.iterations) gate.shut();
    }
    emit({ type: 'state', state: 'finished' });
  }

  private showLive(steps: readonly LiveStep[]): void {
    const now = performance.now();
    const [first] = steps;
    if (now - this.lastLiveMs < liveIntervalMs || first === undefined) return;
    this.lastLiveMs = now;
    this.emit({ type: 'live', prompt: first.task.prompt, text: first.step.action.text });
  }

  /** Says how this run stands to the author's. */
  private compare(): void {
    const { author, curve } = this;
    if (!author?.fingerprint || !this.trainer) return;
    const { fingerprint } = this.trainer.progress;
    const difference = author.curve === null || author.reached === null ? 0 : largestDifference(curve, author.curve, author.reached);
    this.emit({ type: 'reproduction', identicalTo: identicalTo(fingerprint, author.fingerprint.slice(0, fingerprint.length)), difference });
  }
}

/** Largest difference between a curve and an author's, whose points are spread evenly over `reached` iterations. */
function largestDifference(curve: readonly number[], author: readonly number[], reached: number): number {
  let largest = 0;
  for (let i = 0; i < Math.min(curve.length, reached); i++) {
    const at = reached === 1 ? 0 : (i * (author.length - 1)) / (reached - 1);
    const left = Math.floor(at);
    const value = author[left] + ((author[left + 1] ?? author[left]) - author[left]) * (at - left);
    largest = Math.max(largest, Math.abs(curve[i] - value));
  }
  return largest;
}
