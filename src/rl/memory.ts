/** Memory of a run, counted on a dry device before anything is allocated. */
import type { EnvironmentDescription } from '../agent/env';
import { DryDevice } from '../device/dry-device';
import { parameterCount } from '../model/shape';
import { byteVocabulary } from '../text/byte-tokenizer';
import { specialTokens } from '../text/tokenizer';
import { wordTokenizer } from '../text/word-tokenizer';
import { configNotices, configProblems, type RunConfig } from './config/config';
import { missingRows } from './config/rows';
import { warmStartKind } from './learner/recorded-start';
import { characters, modelShape } from './rollouts/setup';
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
}

/** Buffers that settings can make too large to bind, by label: what they hold, and what helps. */
const largeBuffers = {
  parameters: ["The model's weights take", 'choose fewer layers or a smaller width'],
  'cache 0': ["A layer's key/value cache takes", 'halve the batch or the context'],
} as const;

/** @param environment null if it is not known before the run */
export function planRun(config: RunConfig, environment: EnvironmentDescription | null, limits: MachineLimits): RunPlan {
  const problems = configProblems(config);
  if (problems.length > 0) return { parameters: 0, totalBytes: 0, warmStart: 'none', problems, notices: [] };
  const missing = missingRows(config);
  if (missing !== null) problems.push(missing);
  const { bindingBytes, memoryBytes } = limits;
  const shape = modelShape(config.model, vocabularySize(config, environment), environment?.images);
  const device = new DryDevice();
  buildRun(device, config, shape);
  for (const [label, [take, remedy]] of Object.entries(largeBuffers)) {
    const { bytes } = device.buffers.find((buffer) => buffer.label === label)!;
    if (bytes > bindingBytes)
      problems.push(
        `${take} ${megabytes(bytes)} MB in one buffer and this device allows ${megabytes(bindingBytes)} MB; ${remedy}.`,
      );
  }
  const totalBytes = device.buffers.reduce((sum, { bytes }) => sum + bytes, 0);
  if (totalBytes > memoryBytes)
    problems.push(
      `The run takes ${megabytes(totalBytes)} MB and this machine has ${megabytes(memoryBytes)} MB; ` +
        'halve the batch or choose a smaller model.',
    );
  return {
    parameters: parameterCount(shape),
    totalBytes,
    warmStart: warmStartKind(config),
    problems,
    notices: configNotices(config),
  };
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

/** Of byte pairs the largest: texts with few repeated pairs give fewer tokens. */
function vocabularySize(config: RunConfig, environment: EnvironmentDescription | null): number {
  return textVocabulary(config, environment) + Number(environment?.images ?? false);
}

function textVocabulary(config: RunConfig, environment: EnvironmentDescription | null): number {
  const { text } = config;
  if (text.tokenizer === 'byte') return byteVocabulary;
  if (text.tokenizer === 'bpe') return Math.max(text.vocabulary, byteVocabulary);
  const alphabet = environment === null ? '' : characters(config, environment);
  if (text.tokenizer === 'word') return wordTokenizer(environment?.words ?? [], alphabet).size;
  return specialTokens.length + 1 + new Set(alphabet).size;
}
