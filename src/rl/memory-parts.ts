/** Memory of a run by what it is for, counted on a dry device, so before any of it is allocated. */
import { DryDevice } from '../device/dry-device';
import type { Network } from '../model/model';
import { Sampler } from '../model/sampler';
import { ParameterStore } from '../model/parameters';
import type { RunConfig } from '../config/config';
import { buildRun, maxSlots } from './learner/shapes';

/** Bytes of a run. */
export interface MemoryParts {
  /** What is not trained: the base of a pretrained model. */
  readonly weights: number;
  /** What is trained: an adapter, or all weights of a model from nothing. */
  readonly trained: number;
  /** Gradients of these, and AdamW's moments. */
  readonly optimizer: number;
  /** Keys and values of all rollouts that are sampled at once. */
  readonly cache: number;
  /** Of a micro-batch forward and backward, of prefilling and of decoding. */
  readonly activations: number;
  readonly total: number;
}

const flatBuffers: Readonly<Record<string, 'trained' | 'optimizer'>> = {
  parameters: 'trained',
  'parameter gradients': 'optimizer',
  'first moments': 'optimizer',
  'second moments': 'optimizer',
};

/** What a run of this config takes with this network, byte for byte as it is then allocated. */
export function memoryParts(config: RunConfig, network: Network): MemoryParts {
  const device = new DryDevice();
  buildRun(device, config, network);
  const base = new Set(network.specs.flatMap(({ name, frozen }) => (frozen ? [name] : [])));
  const parts = { weights: 0, trained: 0, optimizer: 0, cache: 0, activations: 0, total: 0 };
  for (const { label, bytes } of device.buffers) {
    parts[partOf(label, base)] += bytes;
    parts.total += bytes;
  }
  return parts;
}

function partOf(label: string, base: ReadonlySet<string>): Exclude<keyof MemoryParts, 'total'> {
  if (base.has(label)) return 'weights';
  if (/^cache \d+$/.test(label)) return 'cache';
  return Object.hasOwn(flatBuffers, label) ? flatBuffers[label] : 'activations';
}

/** Most rollouts that can be sampled at once in so many bytes, at most as many as a run ever samples; 0: not one. */
export function largestWave(config: RunConfig, network: Network, bytes: number): number {
  const { model, rollout, evaluation } = config;
  const one = { ...config, rollout: { ...rollout, tasks: 1, group: 1 }, evaluation: { ...evaluation, tasks: 1 } };
  const rest = memoryParts(one, network).total - samplerBytes(network, 1, model.context);
  let [fits, tooMany] = [0, maxSlots(network, model.context) + 1];
  while (tooMany - fits > 1) {
    const slots = (fits + tooMany) >> 1;
    if (rest + samplerBytes(network, slots, model.context) <= bytes) fits = slots;
    else tooMany = slots;
  }
  return fits;
}

/** The sampler's own buffers. */
function samplerBytes(network: Network, slots: number, contextLength: number): number {
  const device = new DryDevice();
  const store = new ParameterStore(device, network.specs);
  const before = device.buffers.length;
  new Sampler(device, store, network, { slots, contextLength });
  return device.buffers.slice(before).reduce((sum, { bytes }) => sum + bytes, 0);
}
