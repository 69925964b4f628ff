/** Memory of a run, counted on a dry device before anything is allocated. */
import type { EnvironmentDescription } from '../agent/env';
import { OutOfDeviceMemory, type Device } from '../device/device';
import { DryDevice } from '../device/dry-device';
import { familyOf } from '../model/families';
import type { Network } from '../model/model';
import { parameterCount } from '../model/parameters';
import { configNotices, configProblems, type RunConfig } from '../config/config';
import { cannotSee, missingModel } from '../config/pretrained';
import { missingRows } from '../config/rows';
import { warmStartKind } from './learner/recorded-start';
import { textOf } from './rollouts/setup';
import { buildRun } from './learner/shapes';

export interface RunPlan {
  readonly parameters: number;
  /** Of all buffers that the run keeps; a readback for a checkpoint adds to them for a moment. */
  readonly totalBytes: number;
  /** How the run gets its first weights: from the preset's recording, by imitation here, or at random. */
  readonly warmStart: 'recorded' | 'trained' | 'none';
  /** Sentences: why the config cannot run, or not on a device with these limits. */
  readonly problems: readonly string[];
  /** See `configNotices`. */
  readonly notices: readonly string[];
}

/** What is known of a device before a run; Infinity where nothing is. */
export interface MachineLimits {
  /** Largest buffer that a kernel may bind. */
  readonly bindingBytes: number;
  /** All memory of the machine. */
  readonly memoryBytes: number;
  /** All that the device can ever hold. */
  readonly deviceBytes?: number;
}

/** Buffers that settings can make too large to bind, by label: what they hold, and what helps. */
const largeBuffers = {
  parameters: ["The model's weights take", 'choose fewer layers or a smaller width'],
  'cache 0': ["A layer's key/value cache takes", 'halve the batch or the context'],
} as const;

/** The plan of a run that cannot begin. */
const nothing = { parameters: 0, totalBytes: 0, warmStart: 'none', notices: [] } as const;

/**
 * @param environment null if it is not known before the run
 * @param pretrained the network of the config's pretrained model; null if it is not here
 */
export function planRun(
  config: RunConfig,
  environment: EnvironmentDescription | null,
  limits: MachineLimits,
  pretrained: Network | null = null,
): RunPlan {
  const problems = configProblems(config);
  if (problems.length > 0) return { ...nothing, problems };
  const missing = missingRows(config);
  if (missing !== null) problems.push(missing);
  const { pretrained: named } = config.model;
  if (named && !pretrained) return { ...nothing, problems: [...problems, missingModel(named)] };
  if (named && environment?.images) problems.push(cannotSee);
  const { bindingBytes, memoryBytes, deviceBytes = Infinity } = limits;
  const network = pretrained ?? plannedNetwork(config, environment);
  const device = new DryDevice();
  buildRun(device, config, network);
  for (const [label, [take, remedy]] of Object.entries(largeBuffers)) {
    const { bytes } = device.buffers.find((buffer) => buffer.label === label) ?? { bytes: 0 };
    if (bytes > bindingBytes)
      problems.push(
        `${take} ${megabytes(bytes)} MB in one buffer and this device allows ${megabytes(bindingBytes)} MB; ${remedy}.`,
      );
  }
  const totalBytes = bytesOf(device);
  if (totalBytes > deviceBytes) problems.push(tooLarge(totalBytes, deviceBytes));
  else if (totalBytes > memoryBytes)
    problems.push(
      `The run takes ${megabytes(totalBytes)} MB and this machine has ${megabytes(memoryBytes)} MB; ` +
        'halve the batch or choose a smaller model.',
    );
  return {
    parameters: parameterCount(network.specs),
    totalBytes,
    warmStart: warmStartKind(config),
    problems,
    notices: configNotices(config),
  };
}

/** What a run takes of a device. */
export type RunSize = Pick<RunPlan, 'parameters' | 'totalBytes'>;

/**
 * Counts a run's buffers before any is made.
 * @throws OutOfDeviceMemory if the device can never hold them
 */
export function requireFit(device: Device, config: RunConfig, network: Network): RunSize {
  const { maxTotalBytes } = device.adapter;
  const dry = new DryDevice();
  buildRun(dry, config, network);
  const totalBytes = bytesOf(dry);
  if (totalBytes > maxTotalBytes) throw new OutOfDeviceMemory(tooLarge(totalBytes, maxTotalBytes));
  return { parameters: parameterCount(network.specs), totalBytes };
}

const bytesOf = ({ buffers }: DryDevice): number => buffers.reduce((sum, { bytes }) => sum + bytes, 0);

const tooLarge = (bytes: number, limit: number): string =>
  `The run takes ${megabytes(bytes)} MB and the device can hold ${megabytes(limit)} MB; ` +
  'halve the batch or choose a smaller model.';

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

/** Without an environment there is no alphabet yet. */
function plannedNetwork(config: RunConfig, environment: EnvironmentDescription | null): Network {
  const { model, text } = config;
  const family = familyOf(model);
  const about = environment === null ? { alphabet: '', words: [], images: false } : textOf(config, environment);
  return family.network(model, family.vocabulary(text, about), about.images);
}
