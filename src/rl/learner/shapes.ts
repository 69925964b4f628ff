/** What a config makes of a run on a device: its sampler, and its learner's batch shape, loss kernel and critic. */
import type { Device } from '../../gpu/device';
import { ParameterStore } from '../../model/parameters';
import { Sampler } from '../../model/sampler';
import { parameterSpecs, type ModelShape } from '../../model/shape';
import { algorithms } from '../algorithms/table';
import type { RunConfig } from '../config/config';
import { Learner, type LearnerOptions } from './learner';

/** Positions of a packed training row; longer contexts make longer rows. */
const rowLength = 256;
/** Positions of a micro-batch. */
const microBatchTokens = 2048;
/** Most rollouts sampled at once; more run in waves. */
const maxWave = 256;

/** Rows (B) and positions (T) of a micro-batch. */
function batchShape({ model }: RunConfig): { rows: number; length: number } {
  const length = Math.max(rowLength, model.context);
  return { rows: Math.max(1, Math.floor(microBatchTokens / length)), length };
}

/** What a config makes of its learner: the kernel of its algorithm's loss, and a critic if that needs one. */
function learnerOptions(config: RunConfig): LearnerOptions {
  const { algorithm, critic } = config;
  const { loss: kind, critic: level } = algorithms[algorithm.name];
  return { ...batchShape(config), terms: { kind, kl: algorithm.klEstimator }, ...(level && { critic }) };
}

/** All that a run has on a device, weights of zero. Await `Device.compiled` before it is used. */
export function buildRun(device: Device, config: RunConfig, shape: ModelShape, beforeSubmit?: () => Promise<void>) {
  const { model, rollout, evaluation } = config;
  const slots = Math.min(maxWave, Math.max(rollout.tasks * rollout.group, evaluation.tasks));
  const store = new ParameterStore(device, parameterSpecs(shape));
  const sampler = new Sampler(device, store, shape, { slots, contextLength: model.context, beforeSubmit });
  const learner = new Learner(device, store, shape, learnerOptions(config));
  return { store, sampler, learner };
}
