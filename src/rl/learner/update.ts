/**
 * The update: epochs of mini-batches over one iteration's segments, each an optimizer step of the policy, the critic,
 * or both. The policy stops early once the KL to the policy that sampled exceeds `klStop`. The critic has a rate of its
 * own, which is constant, and epochs of its own: those beyond the policy's train the critic alone.
 */
import { permutation, Purpose } from '../../lib/rng';
import type { Algorithm } from '../../algorithms/algorithm';
import type { RunConfig } from '../../config/config';
import type { CriticStep, Learner } from './learner';
import type { LossReport } from './loss-report';
import { seedOf } from '../rollouts/batches';
import { packShape } from './scoring';
import { pack, splitMiniBatches } from './packing';
import type { Segment } from './segments';
import { optimizerSettings } from './warm-start';

export interface UpdateReport extends LossReport {
  /** Tokens in the loss, each counted as often as it was learned from. */
  readonly trainedTokens: number;
  /** Epochs of the policy that were done. */
  readonly epochs: number;
}

/**
 * @param segments of each trajectory
 * @param inputs.criticSegments what the critic learns from where it learns alone
 * @param inputs.iteration from 1
 * @param inputs.rate learning rate of the policy; null where the critic learns alone
 * @param inputs.klCoefficient of the KL in the loss; 0 where it is in the reward
 * @param inputs.beforeSubmit awaited before each mini-batch
 */
export async function update(
  learner: Learner,
  segments: readonly (readonly Segment[])[],
  inputs: {
    readonly config: RunConfig;
    readonly algorithm: Algorithm;
    readonly criticSegments: readonly (readonly Segment[])[];
    readonly iteration: number;
    readonly rate: number | null;
    readonly klCoefficient: number;
    readonly beforeSubmit: () => Promise<void>;
  },
): Promise<UpdateReport> {
  const { config, algorithm, criticSegments, iteration, rate, klCoefficient, beforeSubmit } = inputs;
  const { miniBatches, klStop } = config.algorithm;
  const shape = packShape(learner, config, algorithm);
  const loss = { ...config.algorithm, klCoefficient, temperature: config.rollout.temperature };
  const critic = learner.critic ? criticStepOf(config) : undefined;
  const criticEpochs = critic ? config.critic.epochs : 0;
  let policyEpochs = rate === null ? 0 : config.algorithm.epochs;
  let trainedTokens = 0;
  let before: Readonly<Record<string, number>> = { sites: 0, approxKl: 0 };
  for (let epoch = 0; epoch < Math.max(policyEpochs, criticEpochs); epoch++) {
    const optimizer = rate !== null && epoch < policyEpochs ? optimizerSettings(config, rate) : null;
    const order = permutation(segments.length, seedOf('mini-batches', config), Purpose.shuffle, iteration, epoch);
    for (const chosen of splitMiniBatches(order, miniBatches)) {
      await beforeSubmit();
      const learned = optimizer ? segments : criticSegments;
      const batch = pack(
        chosen.flatMap((i) => learned[i]),
        shape,
      );
      if (batch.sites === 0) continue;
      if (optimizer) learner.policyStep(batch, loss, optimizer, critic);
      else if (critic) learner.criticStep(batch, critic);
      trainedTokens += batch.sites;
    }
    if (klStop > 0 && epoch + 1 < policyEpochs) {
      const now = await learner.sums();
      const kl = (now.approxKl - before.approxKl) / Math.max(1, now.sites - before.sites);
      if (kl > klStop) policyEpochs = epoch + 1;
      before = now;
    }
  }
  return { ...(await learner.report()), trainedTokens, epochs: policyEpochs };
}

/** Adam has the policy's decays and clip; the rate is the critic's own. */
function criticStepOf(config: RunConfig): CriticStep {
  const { coefficient, learningRate } = config.critic;
  return { coefficient, optimizer: optimizerSettings(config, learningRate) };
}
