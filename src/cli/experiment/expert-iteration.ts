/**
 * Expert iteration, also called rejection-sampling fine-tuning: each iteration samples as reinforcement does, and
 * imitates the rollouts that succeeded. A baseline of policy gradients on the same tasks, rollouts and updates.
 *
 * Anthony et al. 2017 (arXiv 1705.08439); on language models RAFT, Dong et al. 2023 (arXiv 2304.06767).
 */
import { permutation, Purpose } from '../../lib/rng';
import { NotFinite } from '../../model/not-finite';
import { zeroCredit } from '../../algorithms/credit';
import { splitMiniBatches } from '../../rl/learner/packing';
import { reinforcementRate } from '../../rl/learner/schedule';
import { imitate } from '../../rl/learner/warm-start';
import type { Metrics } from '../../rl/report';
import { seedOf } from '../../rl/rollouts/batches';
import { collectRollouts } from '../../rl/rollouts/collect';
import { requireSoundEpisodes } from '../../rl/rollouts/environment-failures';
import { rolloutMetrics } from '../../rl/rollouts/metrics';
import { rolloutView, type RolloutView } from '../../rl/rollouts/view';
import { requireHealthyDevice, warmUp } from '../../rl/run';
import type { Trainer } from '../../rl/trainer';
import { quietHooks } from '../recorded-start';

/** What a cell keeps of an iteration. */
export interface CellIteration {
  readonly metrics: Pick<
    Metrics,
    'success' | 'turns' | 'entropy' | 'kl' | 'clipFraction' | 'gradientNorm' | 'diagnostics'
  >;
  readonly rollouts: readonly RolloutView[];
}

/** The iterations of a run that imitates its own successes. KL and clip fraction are not measured. */
export async function* expertIterations(trainer: Trainer): AsyncGenerator<CellIteration, void, undefined> {
  await warmUp(trainer);
  const { setup, sampler, progress, device } = trainer;
  const loop = setup.loop();
  const hooks = { greedy: false, onTurn: () => undefined, beforeSubmit: quietHooks.beforeSubmit };
  while (progress.iteration < setup.config.iterations) {
    const iteration = progress.iteration + 1;
    sampler.clearCache();
    const { trajectories } = await collectRollouts(setup, loop, sampler, iteration, hooks);
    requireSoundEpisodes(trajectories, `iteration ${iteration}`);
    const gradientNorm = await imitateSuccesses(trainer, trajectories, iteration);
    requireHealthyDevice(device);
    const metrics = rolloutMetrics(trajectories);
    progress.iteration = iteration;
    progress.sampledTokens += metrics.sampledTokens;
    yield {
      metrics: { ...metrics, gradientNorm, kl: null, clipFraction: null },
      rollouts: trajectories.map((each, index) => rolloutView(each, { iteration, index }, zeroCredit(each), true)),
    };
  }
}

/** As many updates as reinforcement makes. @returns the gradient norm, null if no rollout succeeded */
async function imitateSuccesses(
  { setup: { config }, learner }: Trainer,
  trajectories: Parameters<typeof rolloutMetrics>[0],
  iteration: number,
): Promise<number | null> {
  const { algorithm } = config;
  const solved = trajectories.filter(({ success }) => success);
  if (solved.length === 0) return null;
  const rate = reinforcementRate(config, iteration);
  for (let epoch = 0; epoch < algorithm.epochs; epoch++) {
    const order = permutation(solved.length, seedOf('mini-batches', config), Purpose.shuffle, iteration, epoch);
    for (const chosen of splitMiniBatches(order, algorithm.miniBatches))
      imitate(
        learner,
        chosen.map((i) => solved[i]),
        config,
        rate,
      );
  }
  const { gradientNorm, skipped } = await learner.report();
  if (skipped > 0) throw new NotFinite(`Loss or gradient were not finite in iteration ${iteration}.`);
  return gradientNorm;
}
