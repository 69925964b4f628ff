/**
 * A run between two iterations as one safetensors file: weights, both moments, the starting weights, the optimizer's state,
 * config, tokenizer and progress. Random numbers are counter-based, so the iteration is their position.
 * Saving, loading and going on is bit-equal to never having stopped.
 */
import { readTensor } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { writeTensor, type Tensor } from '../gpu/tensor';
import { readSafetensors, writeSafetensors } from '../model/safetensors';
import { parseConfig, type RunConfig } from './config';
import type { Progress, Trainer } from './trainer';

/** Checkpoint without its numbers: enough to build the trainer that they are then written into. */
export interface CheckpointHead {
  readonly config: RunConfig;
  /** Environment source the run was made with. */
  readonly source: string;
  readonly progress: Progress;
}

const formatVersion = '1';

export async function saveCheckpoint(device: Device, trainer: Trainer, source: string): Promise<Uint8Array<ArrayBuffer>> {
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const [prefix, flat] of flatTensors(trainer)) {
    const numbers = await trainer.store.read(flat);
    for (const { name, shape } of trainer.store.specs) tensors.set(prefix + name, { shape, data: numbers.get(name)! });
  }
  tensors.set('optimizer.state', { shape: [8], data: await readTensor(device, trainer.learner.optimizer.state) });
  const metadata = {
    format: 'agentlet',
    version: formatVersion,
    config: JSON.stringify(trainer.stage.config),
    tokenizer: JSON.stringify(trainer.stage.tokenizer.toJson()),
    progress: JSON.stringify(trainer.progress),
    source,
  };
  return writeSafetensors({ tensors, metadata });
}

/** @throws a sentence if the file is no checkpoint of this version */
export function readCheckpointHead(file: Uint8Array): CheckpointHead {
  const { metadata } = readSafetensors(file);
  if (metadata.format !== 'agentlet')
    throw new Error('This safetensors file is not an Agentlet checkpoint: its metadata lacks format=agentlet.');
  if (metadata.version !== formatVersion)
    throw new Error(`This checkpoint has format version ${metadata.version}; this version of Agentlet reads ${formatVersion}.`);
  return { config: parseConfig(JSON.parse(metadata.config)), source: metadata.source, progress: JSON.parse(metadata.progress) as Progress };
}

/** Writes a checkpoint's numbers and progress into a trainer made from its head. */
export function restoreCheckpoint(device: Device, trainer: Trainer, file: Uint8Array): void {
  const { tensors, metadata } = readSafetensors(file);
  if (metadata.tokenizer !== JSON.stringify(trainer.stage.tokenizer.toJson())) {
    throw new Error(
      'The checkpoint was made with another tokenizer than its environment gives in this version, so its tokens would mean something else.',
    );
  }
  for (const [prefix, flat] of flatTensors(trainer)) {
    trainer.store.write(
      flat,
      new Map([...tensors].filter(([name]) => name.startsWith(prefix)).map(([name, { data }]) => [name.slice(prefix.length), data])),
    );
  }
  const state = tensors.get('optimizer.state');
  if (state?.data.length !== 8) throw new Error('The checkpoint has no optimizer state.');
  writeTensor(device, trainer.learner.optimizer.state, state.data);
  Object.assign(trainer.progress, JSON.parse(metadata.progress));
  trainer.settle();
}

function flatTensors({ store, learner }: Trainer): [string, Tensor][] {
  return [
    ['model.', store.value],
    ['adam.m.', store.first],
    ['adam.v.', store.second],
    ['start.', learner.start],
  ];
}
