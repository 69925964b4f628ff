/** What a config makes of a run on a device: its sampler, and its learner's batch shape, loss kernel and critic. */
import type { Device } from '../../device/device';
import { ParameterStore } from '../../model/parameters';
import { Sampler } from '../../model/sampler';
import type { Network } from '../../model/model';
import { algorithms } from '../../algorithms/table';
import type { RunConfig } from '../../config/config';
import { Learner } from './learner';

/** Positions of a micro-batch; a longer context makes it longer. */
const microBatchTokens = 2048;
/** Most rollouts sampled at once; more run in waves. */
export const maxWave = 256;

/** Rollouts that a run samples at once. */
export function samplerSlots({ rollout, evaluation }: RunConfig): number {
  return Math.min(maxWave, Math.max(rollout.tasks * rollout.group, evaluation.tasks));
}

/** All that a run has on a device, weights of zero. Await `Device.compiled` before it is used. */
export function buildRun(device: Device, config: RunConfig, network: Network, beforeSubmit?: () => Promise<void>) {
  const { model, algorithm, critic } = config;
  const { loss: kind, critic: level } = algorithms[algorithm.name];
  const capacity = Math.max(microBatchTokens, model.context);
  const slots = samplerSlots(config);
  const store = new ParameterStore(device, network.specs);
  const sampler = new Sampler(device, store, network, { slots, contextLength: model.context, beforeSubmit });
  const terms = { kind, kl: algorithm.klEstimator };
  const learner = new Learner(device, store, network, { capacity, terms, ...(level && { critic }) });
  return { store, sampler, learner };
}
