/**
 * Batched sampling. The key/value cache, random numbers, stop flags and tokens stay on the GPU; a submission draws 16
 * tokens a row and reads them back. A prompt that extends its slot's cache prefills only the new tokens.
 */
import type { Action, Policy, Prompt, Sampling } from '../agent/types';
import { Commands, Reader, type Dispatch } from '../gpu/commands';
import type { Device } from '../gpu/device';
import { Tape, type Plan } from '../gpu/tape';
import { Struct } from '../gpu/struct';
import { createTensor, writeTensor, type Tensor } from '../gpu/tensor';
import { assert } from '../lib/assert';
import { attentionCached, rotaryIntoCache } from '../ops/attention-cached';
import { NotFinite } from './not-finite';
import type { ParameterStore } from './parameters';
import type { ModelShape } from './shape';
import { head, transformer, type Attend } from './transformer';

/** Tokens a row draws between two readbacks. */
const chunk = 16;
/** Prompt tokens prefilled by one submission. */
const prefillRows = 1024;
const maxStops = 4;
const settingsStruct = new Struct('sample', 'Settings');

/** A prompt whose action is being sampled. */
interface Row {
  readonly prompt: Prompt;
  readonly tokens: number[];
  readonly logProbs: number[];
  readonly entropies: number[];
  done: boolean;
}

export interface SamplerOptions {
  /** Conversations that have a key/value cache; also the maximum batch. */
  readonly slots: number;
  /** Cache length (S): maximum tokens of prompt plus action. */
  readonly contextLength: number;
  /** Awaited between submissions: pausing hooks in here. */
  readonly beforeSubmit?: () => Promise<void>;
}

export class Sampler implements Policy {
  readonly contextLength: number;
  readonly slots: number;
  /** Tokens drawn and prefilled since the sampler was made. */
  readonly counts = { drawn: 0, prefilled: 0 };
  private readonly cached: number[][];
  private readonly beforeSubmit: () => Promise<void>;
  private readonly settings: Tensor;
  private readonly feed: Tensor; // u32 [R]
  private readonly rows: Tensor; // u32 [R, 2]: slot, position
  private readonly progress: Tensor; // u32 [R, 2]: tokens left, tokens drawn
  private readonly drawn: Tensor; // u32 [R, chunk, 4]
  private readonly drawnReader: Reader;
  private readonly prefillTokens: Tensor; // u32 [P]
  private readonly prefillPlaces: Tensor; // u32 [P, 2]: slot, position
  private readonly cache: readonly Tensor[]; // L × [slots, S, 2, Hk, E]
  private activeRows = 0;
  private activePrefill = 0;

  private constructor(
    private readonly device: Device,
    private readonly shape: ModelShape,
    private readonly tapes: { readonly decode: Tape; readonly prefill: Tape },
    options: SamplerOptions,
  ) {
    const { decode, prefill } = tapes;
    this.slots = options.slots;
    this.contextLength = options.contextLength;
    this.beforeSubmit = options.beforeSubmit ?? (async () => undefined);
    this.cached = Array.from({ length: options.slots }, () => []);
    this.settings = createTensor(device, 'sampling settings', [settingsStruct.size], { type: 'u32', uniform: true });
    this.feed = decode.constant('feed', [this.slots], 'u32');
    this.rows = decode.constant('rows', [this.slots, 2], 'u32');
    this.progress = decode.constant('progress', [this.slots, 2], 'u32');
    this.drawn = decode.constant('drawn', [this.slots, chunk, 4], 'u32');
    this.drawnReader = new Reader(device, this.drawn);
    this.prefillTokens = prefill.constant('prefill tokens', [prefillRows], 'u32');
    this.prefillPlaces = prefill.constant('prefill places', [prefillRows, 2], 'u32');
    const { layers, kvHeads, headSize } = shape;
    this.cache = Array.from({ length: layers }, (_, i) =>
      decode.constant(`cache ${i}`, [this.slots, this.contextLength, 2, kvHeads, headSize]),
    );
  }

  /** Builds both plans and waits for their kernels. */
  static async create(
    device: Device,
    store: ParameterStore,
    shape: ModelShape,
    options: SamplerOptions,
  ): Promise<Sampler> {
    const sampler = new Sampler(
      device,
      shape,
      { decode: new Tape(device, false), prefill: new Tape(device, false) },
      options,
    );
    await sampler.build(store);
    return sampler;
  }

  private decodePlan!: Plan;
  private prefillPlan!: Plan;
  private decodeChunk: readonly Dispatch[] = [];

  private async build(store: ParameterStore): Promise<void> {
    const { decode, prefill } = this.tapes;
    const active = () => this.activeRows;
    const hidden = transformer(
      decode,
      store,
      this.shape,
      this.feed,
      this.attendCached(decode, this.rows, active),
      active,
    );
    const logits = head(decode, store, this.shape, hidden, active);
    const V = this.shape.vocabulary;
    const lanes = this.device.adapter.software && V <= 1024 ? 1 : 64;
    const bindings = {
      logits,
      feed: this.feed,
      rows: this.rows,
      progress: this.progress,
      drawn: this.drawn,
      settings: this.settings,
    };
    decode.dispatch('sample', 'forward', { R: this.slots, V, CHUNK: chunk, LANES: lanes }, bindings, () => [
      Math.ceil((this.activeRows * lanes) / 64),
      1,
      1,
    ]);
    const prefilled = () => this.activePrefill;
    transformer(
      prefill,
      store,
      this.shape,
      this.prefillTokens,
      this.attendCached(prefill, this.prefillPlaces, prefilled, true),
      prefilled,
    );
    this.decodePlan = await decode.seal();
    this.prefillPlan = await prefill.seal();
    this.decodeChunk = Array.from({ length: chunk }, () => this.decodePlan.forward).flat();
  }

  /** @param fillOnly stop once the last layer's keys and values are cached */
  private attendCached(tape: Tape, rows: Tensor, active: () => number, fillOnly = false): Attend {
    const { heads, kvHeads, headSize, layers, ropeBase: base, ropeStyle: style } = this.shape;
    return (layer, qkv) => {
      const cache = this.cache[layer];
      const options = { heads, kvHeads, headSize, slots: this.slots, cacheLength: this.contextLength, rows: active };
      rotaryIntoCache(tape, qkv, cache, rows, { ...options, base, style });
      if (fillOnly && layer === layers - 1) return null;
      return attentionCached(tape, qkv, cache, rows, options);
    };
  }

  /** Call when the weights have changed: the cached keys and values belong to the old ones. */
  clearCache(): void {
    for (const tokens of this.cached) tokens.length = 0;
  }

  async sample(prompts: readonly Prompt[], sampling: Sampling): Promise<Action[]> {
    assert(prompts.length <= this.slots, `${prompts.length} prompts, but the sampler has ${this.slots} slots`);
    assert(sampling.stopTokens.length <= maxStops, `at most ${maxStops} stop tokens`);
    const rows = prompts.map((prompt): Row => {
      assert(prompt.tokens.length > 0, `slot ${prompt.slot} has an empty prompt`);
      assert(
        prompt.tokens.length + 1 <= this.contextLength,
        `slot ${prompt.slot}: a prompt of ${prompt.tokens.length} tokens leaves no room in a context of ${this.contextLength}`,
      );
      return { prompt, tokens: [], logProbs: [], entropies: [], done: false };
    });
    this.writeSettings(sampling);
    await this.prefill(prompts);
    for (let live = rows; live.length > 0; live = live.filter((row) => !row.done)) {
      await this.beforeSubmit();
      await this.draw(live, sampling);
    }
    return rows.map((row) => this.finish(row, sampling));
  }

  private finish({ tokens, logProbs, entropies }: Row, { stopTokens }: Sampling): Action {
    const stopped = tokens.length > 0 && stopTokens.includes(tokens[tokens.length - 1]);
    return { tokens, logProbs, entropies, text: '', stop: stopped ? 'stop' : 'length' };
  }

  private writeSettings(sampling: Sampling): void {
    const { temperature, topP, topK, seed, iteration, stopTokens } = sampling;
    const greedy = temperature === 0;
    const settings = settingsStruct.pack({
      inverseTemperature: greedy ? 1 : 1 / temperature,
      topP,
      topK,
      greedy: Number(greedy),
      seed,
      iteration,
      stopCount: stopTokens.length,
      stops: stopTokens,
    });
    writeTensor(this.device, this.settings, settings);
  }

  /** Caches the new tokens of each prompt except the last, which the first decode step feeds. */
  private async prefill(prompts: readonly Prompt[]): Promise<void> {
    const tokens: number[] = [];
    const places: number[] = [];
    for (const { slot, tokens: prompt } of prompts) {
      const known = this.cached[slot];
      let shared = 0;
      while (shared < known.length && shared < prompt.length - 1 && known[shared] === prompt[shared]) shared++;
      for (let i = shared; i < prompt.length - 1; i++) {
        tokens.push(prompt[i]);
        places.push(slot, i);
      }
      this.cached[slot] = [...prompt];
    }
    for (let from = 0; from < tokens.length; from += prefillRows) {
      await this.beforeSubmit();
      this.activePrefill = Math.min(prefillRows, tokens.length - from);
      writeTensor(this.device, this.prefillTokens, Uint32Array.from(tokens.slice(from, from + prefillRows)));
      writeTensor(this.device, this.prefillPlaces, Uint32Array.from(places.slice(2 * from, 2 * (from + prefillRows))));
      new Commands(this.device).run(this.prefillPlan.forward).submit();
    }
    this.counts.prefilled += tokens.length;
  }

  /** Up to `chunk` tokens for each live row, in one submission and one readback. */
  private async draw(live: readonly Row[], sampling: Sampling): Promise<void> {
    const left = live.map(
      (row) => Math.min(sampling.maxTokens, this.contextLength - row.prompt.tokens.length) - row.tokens.length,
    );
    const steps = Math.min(chunk, Math.max(...left));
    this.activeRows = live.length;
    const known = live.map((row) => row.prompt.tokens.length + row.tokens.length);
    writeTensor(
      this.device,
      this.feed,
      Uint32Array.from(live, (row) => row.tokens.at(-1) ?? row.prompt.tokens.at(-1)!),
    );
    writeTensor(this.device, this.rows, Uint32Array.from(live.flatMap((row, i) => [row.prompt.slot, known[i] - 1])));
    writeTensor(this.device, this.progress, Uint32Array.from(left.flatMap((count) => [count, 0])));
    const drawnSteps =
      steps === chunk ? this.decodeChunk : this.decodeChunk.slice(0, steps * this.decodePlan.forward.length);
    new Commands(this.device).run(drawnSteps).read(this.drawnReader).submit();
    const words = await this.drawnReader.resultUint();
    const floats = new Float32Array(words.buffer);
    live.forEach((row, r) => {
      for (let step = 0; step < Math.min(steps, left[r]) && !row.done; step++) {
        const at = (r * chunk + step) * 4;
        if (!Number.isFinite(floats[at + 1]))
          throw new NotFinite('The model’s probabilities are not numbers any more.');
        row.tokens.push(words[at]);
        row.logProbs.push(floats[at + 1]);
        row.entropies.push(floats[at + 2]);
        this.counts.drawn++;
        row.done = step + 1 === left[r] || sampling.stopTokens.includes(words[at]);
      }
      // The last token drawn has no key or value yet: the next prompt feeds it.
      this.cached[row.prompt.slot] = [...row.prompt.tokens, ...row.tokens.slice(0, -1)];
    });
  }

  destroy(): void {
    this.decodePlan.destroy();
    this.prefillPlan.destroy();
    this.drawnReader.destroy();
    this.settings.buffer.destroy();
  }
}

/** Bytes the sampler's caches and rows will take. */
export function samplerBytes(shape: ModelShape, slots: number, contextLength: number): number {
  const cache = slots * contextLength * 2 * shape.kvHeads * shape.headSize * shape.layers;
  const widest = shape.mlp === 'swiglu' ? 2 * shape.mlpWidth : shape.mlpWidth;
  const perRow = shape.layers * (8 * shape.width + 2 * widest) + shape.vocabulary;
  return 4 * (cache + (slots + prefillRows) * perRow);
}
