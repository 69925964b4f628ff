/** What a config makes of a run on a device: its sampler, and its learner's batch shape, loss kernel and critic. */
import type { Device } from '../../device/device';
import { DryDevice } from '../../device/dry-device';
import { Tape } from '../../device/tape';
import { ParameterStore } from '../../model/parameters';
import { Sampler } from '../../model/sampler';
import type { Network } from '../../model/model';
import { algorithms } from '../../algorithms/table';
import type { RunConfig } from '../../config/config';
import { Learner } from './learner';

/** Positions of a micro-batch; a longer context makes it longer. */
const microBatchTokens = 2048;
/** Most rollouts sampled at once; more run in waves. */
const maxWave = 256;
/** Of keys and values. A constant and not the machine's memory: the waves decide a run's random numbers. */
const maxCacheBytes = 1.6e9;

/** Rollouts that a run samples at once. */
export function samplerSlots({ rollout, evaluation, model }: RunConfig, network: Network): number {
  return Math.min(maxSlots(network, model.context), Math.max(rollout.tasks * rollout.group, evaluation.tasks));
}

/** Most rollouts that any run of a network samples at once. */
export function maxSlots(network: Network, context: number): number {
  const cache = network.cache(new Tape(new DryDevice(), false), 1, context);
  const bytes = cache.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return Math.max(1, Math.min(maxWave, Math.floor(maxCacheBytes / bytes)));
}

/** All that a run has on a device, weights of zero. Await `Device.compiled` before it is used. */
export function buildRun(device: Device, config: RunConfig, network: Network, beforeSubmit?: () => Promise<void>) {
  const { model, algorithm, critic } = config;
  const { loss: kind, critic: level } = algorithms[algorithm.name];
  const capacity = Math.max(microBatchTokens, model.context);
  const slots = samplerSlots(config, network);
  const store = new ParameterStore(device, network.specs);
  const sampler = new Sampler(device, store, network, { slots, contextLength: model.context, beforeSubmit });
  const terms = { kind, kl: algorithm.klEstimator };
  const learner = new Learner(device, store, network, { capacity, terms, ...(level && { critic }) });
  return { store, sampler, learner };
}
