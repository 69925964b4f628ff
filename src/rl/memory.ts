/** Memory of a run, computed before anything is allocated. */
import type { EnvironmentDescription } from '../agent/env';
import { parameterCount } from '../model/shape';
import { samplerBytes } from '../model/sampler';
import { byteVocabulary } from '../text/byte-tokenizer';
import { specialTokens } from '../text/tokenizer';
import { wordTokenizer } from '../text/word-tokenizer';
import { algorithms } from './algorithms/table';
import { configProblems, type RunConfig } from './config/config';
import { warmStartKind } from './learner/recorded-start';
import { characters, modelShape } from './rollouts/setup';
import { batchShape, samplerSlots } from './learner/shapes';

export interface RunPlan {
  readonly parameters: number;
  readonly weightsBytes: number;
  /** Weights, gradients, moments, copies, activations and caches. */
  readonly totalBytes: number;
  /** How the run gets its first weights: from the preset's recording, by imitation here, or at random. */
  readonly warmStart: 'recorded' | 'trained' | 'none';
  /** Sentences: why the config cannot run, or not on a device with these limits. */
  readonly problems: readonly string[];
}

/** Weights, gradients, two moments, and the reference weights in half precision. */
const weightCopies = 4.5;
/** Weights, gradients and two moments of a critic that is a network of its own. */
const criticCopies = 4;

/** What is known of a device before a run; Infinity where nothing is. */
export interface MachineLimits {
  /** Largest buffer that a kernel may bind. */
  readonly bindingBytes: number;
  /** All memory of the machine. */
  readonly memoryBytes: number;
}

/** @param environment null if it is not known before the run */
export function planRun(config: RunConfig, environment: EnvironmentDescription | null, limits: MachineLimits): RunPlan {
  const problems = [...configProblems(config)];
  if (problems.length > 0) return { parameters: 0, weightsBytes: 0, totalBytes: 0, warmStart: 'none', problems };
  const shape = modelShape(config.model, vocabularySize(config, environment));
  const parameters = parameterCount(shape);
  const weightsBytes = parameters * 4;
  const { rows, length } = batchShape(config);
  const tokens = rows * length;
  const widest = shape.mlp === 'swiglu' ? 3 * shape.mlpWidth : 2 * shape.mlpWidth;
  const perToken =
    shape.layers * (6 * shape.width + 2 * shape.kvHeads * shape.headSize + widest) + 3 * shape.width + shape.vocabulary;
  const activations = 2 * 4 * tokens * perToken;
  const separateCritic = algorithms[config.algorithm.name].critic !== undefined && config.critic.network === 'separate';
  const criticBytes = separateCritic ? criticCopies * weightsBytes + activations : 0;
  const totalBytes =
    weightCopies * weightsBytes +
    activations +
    criticBytes +
    samplerBytes(shape, samplerSlots(config), config.model.context);
  const { bindingBytes, memoryBytes } = limits;
  if (weightsBytes > bindingBytes) {
    problems.push(
      `The model's weights take ${megabytes(weightsBytes)} MB in one buffer and this device allows ${megabytes(bindingBytes)} MB; choose fewer layers or a smaller width.`,
    );
  }
  const cacheBytes = 4 * samplerSlots(config) * config.model.context * 2 * shape.kvHeads * shape.headSize;
  if (cacheBytes > bindingBytes) {
    problems.push(
      `A layer's key/value cache takes ${megabytes(cacheBytes)} MB in one buffer and this device allows ${megabytes(bindingBytes)} MB; halve the batch or the context.`,
    );
  }
  if (totalBytes > memoryBytes) {
    problems.push(
      `The run takes ${megabytes(totalBytes)} MB and this machine has ${megabytes(memoryBytes)} MB; halve the batch or choose a smaller model.`,
    );
  }
  return { parameters, weightsBytes, totalBytes, warmStart: warmStartKind(config), problems };
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);

function vocabularySize(config: RunConfig, environment: EnvironmentDescription | null): number {
  const { text } = config;
  if (text.tokenizer === 'byte') return byteVocabulary;
  if (text.tokenizer === 'bpe') return Math.max(text.vocabulary, byteVocabulary);
  const alphabet = environment === null ? '' : characters(config, environment);
  if (text.tokenizer === 'word') return wordTokenizer(environment?.words ?? [], alphabet).size;
  return specialTokens.length + 1 + new Set(alphabet).size;
}
