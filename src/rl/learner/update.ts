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

export interface UpdateInputs {
  readonly config: RunConfig;
  readonly algorithm: Algorithm;
  /** From 1. */
  readonly iteration: number;
  /** Learning rate of the policy. */
  readonly rate: number;
  /** Of the KL in the loss; 0 where it is in the reward. */
  readonly klCoefficient: number;
  /** Awaited before each mini-batch. */
  readonly beforeSubmit: () => Promise<void>;
}

/** @param segments of each trajectory */
export async function update(
  learner: Learner,
  segments: readonly (readonly Segment[])[],
  inputs: UpdateInputs,
): Promise<UpdateReport> {
  const { config, algorithm, iteration, rate, klCoefficient, beforeSubmit } = inputs;
  const { epochs, miniBatches, klStop } = config.algorithm;
  const shape = packShape(learner, config, algorithm);
  const optimizer = optimizerSettings(config, rate);
  const loss = { ...config.algorithm, klCoefficient, temperature: config.rollout.temperature };
  const { coefficient, learningRate, warmup } = config.critic;
  const critic = learner.critic ? { coefficient, optimizer: { ...optimizer, rate: learningRate } } : undefined;
  const criticAlone = critic !== undefined && iteration <= warmup;
  let trainedTokens = 0;
  let point: [number, number] = [0, 0];
  let epoch = 0;
  for (let stop = false; epoch < epochs && !stop; epoch++) {
    const order = permutation(segments.length, config.seed, Purpose.shuffle, iteration, epoch);
    for (const chosen of splitMiniBatches(order, miniBatches)) {
      await beforeSubmit();
      const batch = pack(
        chosen.flatMap((i) => segments[i]),
        shape,
      );
      if (batch.sites === 0) continue;
      if (criticAlone) learner.criticStep(batch, critic);
      else learner.policyStep(batch, loss, optimizer, critic);
      trainedTokens += batch.sites;
    }
    if (klStop > 0 && !criticAlone && epoch + 1 < epochs) {
      const since = await learner.approxKlSince(point);
      point = since.point;
      stop = since.approxKl > klStop;
    }
  }
  return { ...(await learner.report()), trainedTokens, epochs: epoch };
}
