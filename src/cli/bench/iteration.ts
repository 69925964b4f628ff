/**
 * A run's whole iteration by phase: its time, the positions that it needed and those that it computed, and the work of
 * its matrix products. Means over one period of validation, after a first iteration that warms up.
 */
import type { Device } from '../../device/device';
import { sum } from '../../lib/mean';
import type { Sampler } from '../../model/sampler';
import type { PositionFlop } from '../../model/model';
import type { RunConfig } from '../../config/config';
import { environmentSource } from '../../config/environment-source';
import type { PackedBatch } from '../../rl/learner/packing';
import { Trainer } from '../../rl/trainer';
import { openSandbox } from '../engine';
import { quietHooks } from '../recorded-start';

export const phases = ['sampling', 'sandbox', 'scoring', 'training', 'validation'] as const;
export type Phase = (typeof phases)[number];

/** What a phase takes in an iteration. */
export interface PhaseWork {
  ms: number;
  /** Positions of tokens: fed once to prefill or to draw the next one, or read by a training or scoring pass. */
  useful: number;
  /** Positions that were computed, padding and rows that had stopped included. */
  computed: number;
  /** Multiplications and additions of the matrix products for the computed positions. */
  flop: number;
}

export interface IterationTimes {
  /** Of a whole iteration. Less than its phases take together: sampling and sandbox overlap. */
  readonly ms: number;
  readonly phases: Readonly<Record<Phase, Readonly<PhaseWork>>>;
}

/** @param config of a run that starts from a recorded warm start and has no critic */
export async function benchIteration(device: Device, config: RunConfig): Promise<IterationTimes> {
  const meter = new Meter();
  const hooks = { ...quietHooks, onLearned: () => meter.bookSampled('sampling') };
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks);
  meter.attach(trainer);
  await trainer.warmStart();
  await trainer.iterate();
  meter.begin();
  const { work } = meter;
  const period = config.evaluation.every;
  const start = performance.now();
  for (let i = 0; i < period; i++) {
    meter.phase = 'scoring';
    const scoredMs = work.scoring.ms;
    const { sampleMs, environmentMs, trainMs, evaluateMs } = (await trainer.iterate()).metrics;
    meter.bookSampled('validation');
    work.sampling.ms += sampleMs;
    work.sandbox.ms += environmentMs;
    work.training.ms += trainMs - (work.scoring.ms - scoredMs);
    work.validation.ms += evaluateMs;
  }
  const ms = (performance.now() - start) / period;
  trainer.destroy();
  for (const each of Object.values(work))
    for (const key of ['ms', 'useful', 'computed', 'flop'] as const) each[key] /= period;
  return { ms, phases: work };
}

/** Counts what a trainer's sampler and learner do, each to the phase that it is done in. */
class Meter {
  work = newWork();
  /** What a scoring pass belongs to. */
  phase: 'scoring' | 'validation' = 'scoring';
  private flop!: PositionFlop;
  private sampler!: Sampler;
  private counted!: Sampler['counts'];

  attach({ learner, sampler, setup }: Trainer): void {
    const flop = (this.flop = setup.model.flop);
    this.sampler = sampler;
    this.counted = { ...sampler.counts };
    const book = (phase: Phase, { microBatches, sites }: PackedBatch, passes: number) => {
      const used = sum(microBatches.map((micro) => micro.used));
      const behindLastKeys = flop.trunk - flop.prefill + flop.head;
      const products = used * flop.prefill + sites * behindLastKeys;
      add(this.work[phase], { useful: used, computed: used, flop: passes * products });
    };
    const [score, policyStep] = [learner.score.bind(learner), learner.policyStep.bind(learner)];
    learner.score = async (batch, ...more) => {
      book(this.phase, batch, 1);
      const start = performance.now();
      const scores = await score(batch, ...more);
      if (this.phase === 'scoring') this.work.scoring.ms += performance.now() - start;
      return scores;
    };
    learner.policyStep = (batch, ...more) => {
      // The backward pass has two products for each of the forward pass.
      book('training', batch, 3);
      policyStep(batch, ...more);
    };
  }

  begin(): void {
    this.work = newWork();
    this.counted = { ...this.sampler.counts };
  }

  /** What was sampled since the last call; what is scored from here on belongs to the validation. */
  bookSampled(phase: Phase): void {
    this.phase = 'validation';
    const { drawn, prefilled, decoded } = this.sampler.counts;
    const [filled, rows] = [prefilled - this.counted.prefilled, decoded - this.counted.decoded];
    add(this.work[phase], {
      useful: drawn - this.counted.drawn + filled,
      computed: rows + filled,
      flop: rows * (this.flop.trunk + this.flop.head) + filled * this.flop.prefill,
    });
    this.counted = { ...this.sampler.counts };
  }
}

function newWork(): Record<Phase, PhaseWork> {
  const none = () => ({ ms: 0, useful: 0, computed: 0, flop: 0 });
  return { sampling: none(), sandbox: none(), scoring: none(), training: none(), validation: none() };
}

function add(work: PhaseWork, { useful, computed, flop }: Omit<PhaseWork, 'ms'>): void {
  work.useful += useful;
  work.computed += computed;
  work.flop += flop;
}
