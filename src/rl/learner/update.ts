/**
 * The update: epochs of mini-batches over one iteration's segments, each an optimizer step of the policy, the critic,
 * or both. Stops early once the KL to the policy that sampled exceeds `klStop`.
 */
import { permutation, Purpose } from '../../lib/rng';
import type { Algorithm } from '../algorithms/algorithm';
import type { RunConfig } from '../config/config';
import type { Learner } from './learner';
import type { LossReport } from './loss-report';
import { packShape } from './scoring';
import { pack, splitMiniBatches } from './packing';
import type { Segment } from './segments';
import { optimizerSettings } from './warm-start';

export interface UpdateReport extends LossReport {
  /** Tokens in the loss, each counted as often as it was learned from. */
  readonly trainedTokens: number;
  /** Epochs done. */
  readonly epochs: number;
}

/**
 * @param segments of each trajectory
 * @param inputs.iteration from 1
 * @param inputs.rate learning rate of the policy
 * @param inputs.klCoefficient of the KL in the loss; 0 where it is in the reward
 * @param inputs.beforeSubmit awaited before each mini-batch
 */
export async function update(
  learner: Learner,
  segments: readonly (readonly Segment[])[],
  inputs: {
    readonly config: RunConfig;
    readonly algorithm: Algorithm;
    readonly iteration: number;
    readonly rate: number;
    readonly klCoefficient: number;
    readonly beforeSubmit: () => Promise<void>;
  },
): Promise<UpdateReport> {
  const { config, algorithm, iteration, rate, klCoefficient, beforeSubmit } = inputs;
  const { epochs, miniBatches, klStop } = config.algorithm;
  const shape = packShape(learner, config, algorithm);
  const optimizer = optimizerSettings(config, rate);
  const loss = { ...config.algorithm, klCoefficient, temperature: config.rollout.temperature };
  const { coefficient, learningRate, warmup } = config.critic;
  const criticRate = learningRate * (rate / config.optimizer.learningRate);
  const critic = learner.critic ? { coefficient, optimizer: { ...optimizer, rate: criticRate } } : undefined;
  const criticAlone = critic !== undefined && iteration <= warmup;
  let trainedTokens = 0;
  let before: Readonly<Record<string, number>> = { sites: 0, approxKl: 0 };
  let epoch = 0;
  for (let stop = false; epoch < epochs && !stop; epoch++) {
    const order = permutation(segments.length, config.seed, Purpose.shuffle, iteration, epoch);
    for (const chosen of splitMiniBatches(order, miniBatches)) {
      await beforeSubmit();
      const own = chosen.flatMap((i) => segments[i]);
      const batch = pack(own, shape);
      if (batch.sites === 0) continue;
      if (criticAlone) learner.criticStep(batch, critic);
      else learner.policyStep(batch, loss, optimizer, critic);
      trainedTokens += batch.sites;
    }
    if (klStop > 0 && !criticAlone && epoch + 1 < epochs) {
      const now = await learner.sums();
      stop = (now.approxKl - before.approxKl) / Math.max(1, now.sites - before.sites) > klStop;
      before = now;
    }
  }
  return { ...(await learner.report()), trainedTokens, epochs: epoch };
}
