/**
 * What sampling, training and checkpoints ask of a model. A family of models is a folder beside this file, which knows
 * its layers and its cache; it is listed in families.ts. Nothing outside of the folder names a layer.
 */
import type { Commands } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import type { WrittenType } from '../lib/safetensors';
import type { HeadLayout } from '../ops/attention';
import type { Patches } from '../ops/patch-embedding';
import type { Rows } from '../ops/rows';
import type { ChatFormat } from '../text/chat-template';
import type { EnvironmentText, TextSettings } from '../text/environment-tokenizer';
import type { Tokenizer } from '../text/tokenizer';
import type { ParameterSpec, ParameterStore } from './parameters';

/** A network: its parameters, and what it computes with them. */
export interface Network {
  /** Number of token ids (V). */
  readonly vocabulary: number;
  /** Size of a hidden state (D). */
  readonly width: number;
  /** Numbers of an image's patch; not given: the network sees no images. */
  readonly patchLength?: number;
  /** All parameters in the order in which initial weights are drawn. */
  readonly specs: readonly ParameterSpec[];
  readonly flop: PositionFlop;
  /** The network with these weights; what is asked of it is recorded on the tape. */
  build(tape: Tape, weights: ParameterStore): RecordedNetwork;
  /** What a sampler keeps of each slot's tokens: tensors [slots, S, ...], where S is the context's length. */
  cache(tape: Tape, slots: number, contextLength: number): readonly Tensor[];
  /** The policy that a run is compared with. It has the weights that were current at its `capture`. */
  reference(device: Device, weights: ParameterStore): Reference;
}

/** A network with its text: how messages become tokens, and tokens text. */
export interface Model extends Network {
  readonly tokenizer: Tokenizer;
  readonly chatFormat: ChatFormat;
  /** Of a pretrained one: fills the frozen base of a store from its files. */
  readonly loadBase?: (device: Device, store: ParameterStore) => Promise<void>;
  /** Of a pretrained one: files of its adapter in PEFT's layout. @param numbers by the names of trained parameters */
  readonly adapterFiles?: (numbers: ReadonlyMap<string, Float32Array>) => ReadonlyMap<string, Uint8Array>;
  /** Of a pretrained one: config.json and the pieces of model.safetensors, with the store's adapter merged in. */
  readonly merged?: (device: Device, store: ParameterStore, dtype: WrittenType) => Promise<MergedModel>;
}

export interface MergedModel {
  readonly config: string;
  readonly weights: AsyncIterable<Uint8Array>;
}

/** FLOP of the forward matrix products of one position. */
export interface PositionFlop {
  readonly trunk: number;
  /** Of a position that only enters the cache. */
  readonly prefill: number;
  readonly head: number;
}

/** Appends forward passes to a tape. */
export interface RecordedNetwork {
  /**
   * Hidden states after the last norm at the sites of a packed batch, [M, D].
   * @param watch is given what the attention of each layer reads, from the first layer on: qkv [N, (H+2Hk)E]
   */
  atSites(batch: PackedTokens, watch?: (qkv: Tensor, layout: HeadLayout) => void): Tensor;
  /** Logits [M, V] of hidden states [M, D]. */
  logits(hidden: Tensor, rows: Rows): Tensor;
  /** The weight [V, D] of which and of hidden states the logits are the product. */
  readonly headWeight: Tensor;
  /** Enters tokens into the cache. @returns their hidden states after the last norm, [N, D] */
  next(tokens: CachedTokens): Tensor;
  /** Enters tokens into the cache and does nothing else. */
  fill(tokens: CachedTokens): void;
}

/** Segments, packed one behind the other. */
export interface PackedTokens {
  readonly tokens: Tensor; // u32 [N]
  /** Position in the conversation, from 0. */
  readonly positions: Tensor; // u32 [N]
  /** What each token sees, as `attention` takes it. */
  readonly ranges: Tensor; // u32 [N, 4]
  /** Of images, in place of some tokens. */
  readonly patches: Patches | null;
  /** Tokens whose hidden states are wanted: distinct indices of them, see `gatherRows`. */
  readonly site: Tensor; // u32 [M]
  readonly usedPositions: Rows;
  readonly usedSites: Rows;
}

/** Tokens of slots that have a cache. */
export interface CachedTokens {
  readonly tokens: Tensor; // u32 [N]
  /** Slot and position of each token. */
  readonly places: Tensor; // u32 [N, 2]
  readonly cache: readonly Tensor[];
  readonly rows: Rows;
  readonly patches?: Patches | null;
}

export interface Reference {
  /** Makes the current weights the reference's, and may round them. Await before training. */
  capture(): Promise<void>;
  /** Encodes dispatches that read the reference's weights where they otherwise read the current ones. */
  run(commands: Commands, dispatches: readonly Dispatch[]): Commands;
  /** Its numbers in a checkpoint; null for a reference that needs none beside the current weights. */
  readonly copy: ReferenceCopy | null;
  destroy(): void;
}

/** A reference's own numbers: one for each trainable parameter, in the layout of the store. */
export interface ReferenceCopy {
  /** To be read back; `decode` turns the result into weights. */
  readonly tensor: Tensor;
  /** @param read what was read back from `tensor` @returns weights [SIZE] */
  decode(read: Float32Array<ArrayBuffer>): Float32Array<ArrayBuffer>;
  /** @param numbers weights [SIZE] */
  write(numbers: Float32Array): void;
}

/** The sizes of a network, as a config gives them. */
export interface NetworkSettings {
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly kvHeads: number;
  readonly mlp: 'swiglu' | 'gelu';
  readonly mlpWidth: number;
  readonly tied: boolean;
}

export interface ModelFamily {
  readonly chatFormat: ChatFormat;
  /** The tokenizer of a model for an environment. */
  tokenizer(settings: TextSettings, environment: EnvironmentText): Promise<Tokenizer>;
  /** The size of the tokenizer, or the largest it can have, before there is one. */
  vocabulary(settings: TextSettings, environment: Omit<EnvironmentText, 'prompts'>): number;
  network(settings: NetworkSettings, vocabulary: number, images: boolean): Network;
}
