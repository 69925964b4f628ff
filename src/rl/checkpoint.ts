/**
 * A run between two updates as one safetensors file: weights, both moments, the reference weights (always float32), the
 * learner's state, config, tokenizer and progress. Random numbers are counter-based, so they need no state. A run that
 * is saved, loaded and continued is bit-equal to one that never stopped.
 */
import * as v from 'valibot';
import { readTensors } from '../gpu/commands';
import type { Device } from '../gpu/device';
import type { Tensor } from '../gpu/tensor';
import { assert } from '../lib/assert';
import { firstIssue } from '../lib/first-issue';
import { quoted } from '../lib/plain-text';
import { allFinite, NotFinite } from '../model/not-finite';
import type { ParameterStore } from '../model/parameters';
import { readMetadata, readSafetensors, writeSafetensors, type SafetensorsFile } from '../model/safetensors';
import { parseConfig, type RunConfig } from './config/config';
import { engineVersion } from './config/run-link';
import type { Progress, Trainer } from './trainer';

/** A checkpoint's metadata: enough to build the trainer that the numbers are then written into. */
export interface CheckpointHead {
  readonly config: RunConfig;
  /** Environment source the run was made with. */
  readonly source: string;
  readonly progress: Progress;
  /** Engine that wrote it; another one may continue with other bits. */
  readonly engineVersion: string;
}

const formatVersion = '2';

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());

const ProgressSchema = v.object({
  warmSteps: count,
  warm: v.boolean(),
  iteration: count,
  fingerprint: v.array(v.string()),
  sampledTokens: count,
  klCoefficient: v.pipe(finite, v.minValue(0)),
  echo: v.object({ first: v.array(v.tuple([finite, finite])), low: count }),
});

/** The metadata of a file whose format and version are right. */
const MetadataSchema = v.object({
  engineVersion: v.string(),
  config: v.pipe(v.string(), v.parseJson()),
  tokenizer: v.string(),
  progress: v.pipe(v.string(), v.parseJson(), ProgressSchema),
  updates: v.pipe(v.string(), v.digits(), v.transform(Number), count),
  source: v.string(),
});

/**
 * The current state; training may continue while it is read back.
 * @throws NotFinite if a number in it is NaN or infinite; OutOfGpuMemory if it cannot be read back
 */
export async function saveCheckpoint(
  device: Device,
  trainer: Trainer,
  source: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { learner, setup, progress } = trainer;
  const flat = flatTensors(trainer);
  const small = stateTensors(trainer);
  const [metadata, read] = await device.guarded('a checkpoint', async () => {
    assert(trainer.isBetweenUpdates, 'a checkpoint was to be taken within an update');
    const head = {
      format: 'agentlet',
      version: formatVersion,
      engineVersion,
      config: JSON.stringify(setup.config),
      tokenizer: JSON.stringify(setup.tokenizer.toJson()),
      progress: JSON.stringify(progress),
      updates: String(learner.unreported),
      source,
    };
    return [
      head,
      await readTensors(device, [...flat.map(({ tensor }) => tensor), ...small.map(([, tensor]) => tensor)]),
    ];
  });
  flat.forEach(({ decode }, i) => (read[i] = decode(read[i])));
  const wrong = read.findIndex((numbers) => !allFinite(numbers));
  if (wrong >= 0)
    throw new NotFinite(
      `The ${[...flat.map(({ title }) => title), ...small.map(([name]) => name)][wrong]} hold numbers that are not finite.`,
    );
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  flat.forEach(({ prefix, store }, i) => {
    const numbers = store.split(read[i]);
    for (const { name, shape } of store.specs) tensors.set(prefix + name, { shape, data: numbers.get(name)! });
  });
  small.forEach(([name, { shape }], i) => tensors.set(name, { shape, data: read[flat.length + i] }));
  return writeSafetensors({ tensors, metadata });
}

/** @throws a sentence if the file is no checkpoint of this version */
export function readCheckpointHead(file: Uint8Array): CheckpointHead {
  const { config, source, progress, engineVersion } = checkMetadata(readMetadata(file));
  return { config: parseConfig(config), source, progress, engineVersion };
}

function checkMetadata(metadata: SafetensorsFile['metadata']): v.InferOutput<typeof MetadataSchema> {
  if (metadata.format !== 'agentlet')
    throw new Error('This safetensors file is not an Agentlet checkpoint: its metadata lacks format=agentlet.');
  if (metadata.version !== formatVersion)
    throw new Error(
      `This checkpoint has format ${quoted(metadata.version ?? 'none')} and this version of Agentlet reads format ${formatVersion}: train it again from its link, or continue it with the version that wrote it.`,
    );
  const result = v.safeParse(MetadataSchema, metadata);
  if (!result.success)
    throw new Error(`This is not a checkpoint that can be read: in its metadata, ${firstIssue(result.issues)}.`);
  return result.output;
}

/** Writes a checkpoint's numbers and progress into a trainer made from its head. */
export function restoreCheckpoint(trainer: Trainer, file: Uint8Array): void {
  const { tensors, metadata } = readSafetensors(file);
  const { tokenizer, progress, updates } = checkMetadata(metadata);
  for (const [name, { data }] of tensors)
    if (!allFinite(data))
      throw new Error(`This checkpoint cannot be used: ${quoted(name)} holds numbers that are not finite.`);
  if (tokenizer !== JSON.stringify(trainer.setup.tokenizer.toJson())) {
    throw new Error(
      'The checkpoint was made with another tokenizer than its environment gives in this version, so its tokens would mean something else.',
    );
  }
  for (const { prefix, write } of flatTensors(trainer)) {
    write(
      new Map(
        [...tensors]
          .filter(([name]) => name.startsWith(prefix))
          .map(([name, { data }]) => [name.slice(prefix.length), data]),
      ),
    );
  }
  const { learner } = trainer;
  const optimizer = numbersOf(tensors, 'optimizer.state', learner.optimizer.state);
  const totals = numbersOf(tensors, 'loss.totals', learner.totals);
  const critic = learner.critic && numbersOf(tensors, 'critic.optimizer.state', learner.critic.optimizer.state);
  learner.restore({ optimizer, totals, ...(critic && { critic }), updates });
  Object.assign(trainer.progress, progress);
}

function numbersOf(tensors: SafetensorsFile['tensors'], name: string, { shape }: Tensor): Float32Array {
  const data = tensors.get(name)?.data;
  if (data?.length !== shape[0]) throw new Error(`The checkpoint lacks ${name}: ${shape[0]} numbers.`);
  return data;
}

/** A flat tensor with its name prefix in the file and its title in messages. */
interface FlatTensor {
  readonly prefix: string;
  readonly title: string;
  readonly store: ParameterStore;
  readonly tensor: Tensor;
  /** Numbers of the store from what was read of the tensor. */
  decode(read: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>;
  /** Writes numbers by the names of the store's parameters. */
  write(numbers: ReadonlyMap<string, Float32Array>): void;
}

function flatTensors({ store, learner }: Trainer): FlatTensor[] {
  const { critic, reference } = learner;
  return [
    ...learnt('', store),
    {
      prefix: 'start.',
      title: 'reference weights',
      store,
      tensor: reference.tensor,
      decode: (read) => reference.decode(read),
      write: (numbers) => reference.write(store.join(numbers)),
    },
    ...(critic ? learnt('critic', critic.store) : []),
  ];
}

/** The weights and both moments of a store. */
function learnt(owner: '' | 'critic', store: ParameterStore): FlatTensor[] {
  const part = (prefix: string, title: string, tensor: Tensor): FlatTensor => ({
    prefix: (owner && `${owner}.`) + prefix,
    title: (owner && `${owner}’s `) + title,
    store,
    tensor,
    decode: (read) => read,
    write: (numbers) => store.write(tensor, numbers),
  });
  return [
    part('model.', 'weights', store.value),
    part('adam.m.', 'first moments', store.first),
    part('adam.v.', 'second moments', store.second),
  ];
}

/** Small tensors by their name in the file. */
function stateTensors({ learner }: Trainer): [string, Tensor][] {
  return [
    ['optimizer.state', learner.optimizer.state],
    ['loss.totals', learner.totals],
    ...(learner.critic ? [['critic.optimizer.state', learner.critic.optimizer.state] as [string, Tensor]] : []),
  ];
}
