/**
 * Batched sampling. The key/value cache, random numbers, stop flags and tokens stay on the GPU; a submission draws up
 * to 16 tokens a row and reads them back. A prompt that extends its slot's cache prefills only the new tokens; of
 * prompts that are alike, one is prefilled and the others copy its cache.
 */
import type { Action, Policy, Prompt, Sampling } from '../agent/types';
import { Commands, Reader } from '../device/commands';
import type { Device } from '../device/device';
import { Tape, type Plan } from '../device/tape';
import { Struct } from '../device/struct';
import { writeTensor, type Tensor } from '../device/tensor';
import { assert } from '../lib/assert';
import { PatchList, prefixKey, sharedTokens, type Prompted } from '../text/image';
import { copyCache } from '../ops/attention-cached';
import { Patches } from '../ops/patch-embedding';
import { Rows } from '../ops/rows';
import { drawGrid } from '../ops/softmax-lanes';
import { NotFinite } from './not-finite';
import type { Network } from './model';
import type { ParameterStore } from './parameters';

const maxChunk = 16;
/** Prompt tokens prefilled by one submission. */
const prefillRows = 1024;
const maxStops = 4;
const nothing: Prompted = { tokens: [] };
const settingsStruct = new Struct('sample', 'Settings');

/**
 * Tokens a row draws between two readbacks: one where these cost nothing. On CPU adapters of WebGPU a large batch reads
 * back early, which spares the steps of rows that have stopped; for a small one, and on GPUs, that costs more than it
 * spares: 10 ms a readback in Chromium.
 */
function chunkOf({ adapter }: Device, liveRows: number): number {
  if (adapter.immediate) return 1;
  return adapter.software && liveRows >= 32 ? 4 : maxChunk;
}

/** Threads that share a row of the kernel that draws: more of them where a row has 150 thousand tokens. */
export function drawLanes({ adapter }: Device, vocabulary: number): 1 | 64 | 256 {
  if (adapter.software) return vocabulary <= 1024 ? 1 : 64;
  return vocabulary <= 8192 ? 64 : 256;
}

/** A prompt whose action is being sampled. */
interface LiveRow {
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
  /** Tokens a row draws between two readbacks, at most 16; by adapter and batch if not given. */
  readonly chunk?: number;
  /** Awaited between submissions: pausing hooks in here. */
  readonly beforeSubmit?: () => Promise<void>;
}

export class Sampler implements Policy {
  readonly contextLength: number;
  readonly slots: number;
  private readonly chunk: number | undefined;
  /** Tokens drawn and prefilled, and rows of decode steps (of stopped conversations too), since it was made. */
  readonly counts = { drawn: 0, prefilled: 0, decoded: 0 };
  /** What each slot's cache holds. */
  private readonly cached: Prompted[];
  private readonly beforeSubmit: SamplerOptions['beforeSubmit'];
  private readonly settings: Tensor;
  private readonly feed: Tensor; // u32 [R]
  private readonly rows: Tensor; // u32 [R, 2]: slot, position
  private readonly progress: Tensor; // u32 [R, 2]: tokens left, tokens drawn
  private readonly drawn: Reader; // u32 [R, 16, 4]
  private readonly prefillTokens: Tensor; // u32 [P]
  private readonly prefillPlaces: Tensor; // u32 [P, 2]: slot, position
  private readonly prefillPatches: Patches | null;
  private readonly live: Rows;
  private readonly filling: Rows;
  private readonly copies: Tensor; // u32 [R, 4]: slot to read, slot to write, first position, one past the last
  private readonly copying: Rows;
  private readonly decodePlan: Plan;
  private readonly prefillPlan: Plan;
  private readonly copyPlan: Plan;

  /** Await `Device.compiled` before the first `sample`. */
  constructor(
    private readonly device: Device,
    store: ParameterStore,
    network: Network,
    { slots, contextLength, beforeSubmit, chunk }: SamplerOptions,
  ) {
    this.slots = slots;
    this.contextLength = contextLength;
    this.chunk = chunk;
    this.beforeSubmit = beforeSubmit;
    this.cached = Array.from({ length: slots }, () => nothing);
    const decode = new Tape(device, false);
    const prefill = new Tape(device, false);
    const cache = network.cache(decode, slots, contextLength);

    const feed = (this.feed = decode.constant('feed', [slots], 'u32'));
    const rows = (this.rows = decode.constant('rows', [slots, 2], 'u32'));
    const progress = (this.progress = decode.constant('progress', [slots, 2], 'u32'));
    const drawn = decode.constant('drawn', [slots, maxChunk, 4], 'u32');
    const settings = (this.settings = decode.uniform('sampling settings', new Uint32Array(settingsStruct.size)));
    this.drawn = new Reader(device, drawn);
    const live = (this.live = new Rows(decode, slots));
    const decoding = network.build(decode, store);
    const logits = decoding.logits(decoding.next({ tokens: feed, places: rows, cache, rows: live }), live);
    const V = network.vocabulary;
    const LANES = drawLanes(device, V);
    const constants = { R: slots, V, CHUNK: maxChunk, LANES };
    const grid = () => drawGrid(live.count, LANES);
    decode.dispatch('sample', 'forward', constants, { logits, feed, rows, progress, drawn, settings }, grid);
    this.decodePlan = decode.seal();

    const tokens = (this.prefillTokens = prefill.constant('prefill tokens', [prefillRows], 'u32'));
    const places = (this.prefillPlaces = prefill.constant('prefill places', [prefillRows, 2], 'u32'));
    const filling = (this.filling = new Rows(prefill, prefillRows));
    const { patchLength } = network;
    const patches = patchLength === undefined ? null : new Patches(prefill, prefillRows, patchLength);
    this.prefillPatches = patches;
    network.build(prefill, store).fill({ tokens, places, cache, rows: filling, patches });
    this.prefillPlan = prefill.seal();

    const copy = new Tape(device, false);
    this.copies = copy.constant('cache copies', [slots, 4], 'u32');
    this.copying = new Rows(copy, slots);
    for (const layer of cache) copyCache(copy, layer, this.copies, this.copying);
    this.copyPlan = copy.seal();
  }

  private write(tensor: Tensor, numbers: readonly number[]): void {
    writeTensor(this.device, tensor, Uint32Array.from(numbers));
  }

  /** Call when the weights have changed: the cached keys and values belong to the old ones. */
  clearCache(): void {
    this.cached.fill(nothing);
  }

  async sample(prompts: readonly Prompt[], sampling: Sampling): Promise<Action[]> {
    assert(prompts.length <= this.slots, `${prompts.length} prompts, but the sampler has ${this.slots} slots`);
    assert(sampling.stopTokens.length <= maxStops, `at most ${maxStops} stop tokens`);
    const rows = prompts.map((prompt): LiveRow => {
      assert(prompt.tokens.length > 0, `slot ${prompt.slot} has an empty prompt`);
      assert(
        prompt.tokens.length + 1 <= this.contextLength,
        `slot ${prompt.slot}: a prompt of ${prompt.tokens.length} tokens fills the context of ${this.contextLength}`,
      );
      return { prompt, tokens: [], logProbs: [], entropies: [], done: false };
    });
    this.writeSettings(sampling);
    await this.prefill(prompts);
    for (let live = rows; live.length > 0; live = live.filter((row) => !row.done)) {
      await this.beforeSubmit?.();
      await this.draw(live, sampling);
    }
    return rows.map(({ tokens, logProbs, entropies }): Action => {
      const stop = sampling.stopTokens.includes(tokens.at(-1)!) ? 'stop' : 'length';
      return { tokens, logProbs, entropies, text: '', stop };
    });
  }

  private writeSettings(sampling: Sampling): void {
    const greedy = sampling.temperature === 0;
    const inverseTemperature = greedy ? 1 : 1 / sampling.temperature;
    const stops = { stopCount: sampling.stopTokens.length, stops: sampling.stopTokens };
    const settings = { ...sampling, ...stops, greedy: Number(greedy), inverseTemperature };
    writeTensor(this.device, this.settings, settingsStruct.pack(settings));
  }

  /** Caches the new tokens of each prompt except the last, which the first decode step feeds. */
  private async prefill(prompts: readonly Prompt[]): Promise<void> {
    const tokens: number[] = [];
    const places: number[] = [];
    const copies: number[] = [];
    const images = new PatchList();
    const filled = new Map<string, number>();
    for (const prompt of prompts) {
      const { slot } = prompt;
      const end = prompt.tokens.length - 1;
      const shared = Math.min(end, sharedTokens(this.cached[slot], prompt));
      const key = prefixKey(prompt, end);
      const alike = filled.get(key);
      if (alike === undefined) {
        filled.set(key, slot);
        images.add(prompt, shared, end, tokens.length);
        for (let i = shared; i < end; i++) {
          tokens.push(prompt.tokens[i]);
          places.push(slot, i);
        }
      } else if (shared < end) copies.push(alike, slot, shared, end);
      this.cached[slot] = prompt;
    }
    for (let from = 0; from < tokens.length; from += prefillRows) {
      await this.beforeSubmit?.();
      this.filling.set(Math.min(prefillRows, tokens.length - from));
      this.write(this.prefillTokens, tokens.slice(from, from + prefillRows));
      this.write(this.prefillPlaces, places.slice(2 * from, 2 * (from + prefillRows)));
      const { patches, patchPlaces } = images.between(from, from + prefillRows);
      this.prefillPatches?.set(patches, patchPlaces);
      new Commands(this.device).run(this.prefillPlan.forward).submit();
    }
    if (copies.length > 0) {
      this.copying.set(copies.length / 4);
      this.write(this.copies, copies);
      new Commands(this.device).run(this.copyPlan.forward).submit();
    }
    this.counts.prefilled += tokens.length;
  }

  /** Up to `chunk` tokens for each live row, in one submission and one readback. */
  private async draw(live: readonly LiveRow[], sampling: Sampling): Promise<void> {
    const left = live.map(({ prompt, tokens }) => {
      return Math.min(sampling.maxTokens, this.contextLength - prompt.tokens.length) - tokens.length;
    });
    const steps = Math.min(this.chunk ?? chunkOf(this.device, live.length), Math.max(...left));
    this.live.set(live.length);
    const last = live.map(({ prompt, tokens }) => tokens.at(-1) ?? prompt.tokens.at(-1)!);
    const places = live.flatMap(({ prompt, tokens }) => [prompt.slot, prompt.tokens.length + tokens.length - 1]);
    const progress = left.flatMap((count) => [count, 0]);
    this.write(this.feed, last);
    this.write(this.rows, places);
    this.write(this.progress, progress);
    this.counts.decoded += steps * live.length;
    const dispatches = Array.from({ length: steps }, () => this.decodePlan.forward).flat();
    new Commands(this.device).run(dispatches).read(this.drawn).submit();
    const floats = await this.drawn.result();
    const words = new Uint32Array(floats.buffer);
    live.forEach((row, r) => {
      for (let step = 0; step < Math.min(steps, left[r]) && !row.done; step++) {
        const at = (r * maxChunk + step) * 4;
        const [token, logProb, entropy] = [words[at], floats[at + 1], floats[at + 2]];
        if (!Number.isFinite(logProb)) throw new NotFinite('The model’s probabilities are not numbers any more.');
        row.tokens.push(token);
        row.logProbs.push(logProb);
        row.entropies.push(entropy);
        this.counts.drawn++;
        row.done = step + 1 === left[r] || sampling.stopTokens.includes(token);
      }
      // The last token drawn has no key or value yet: the next prompt feeds it.
      const { slot, tokens, images } = row.prompt;
      this.cached[slot] = { tokens: [...tokens, ...row.tokens.slice(0, -1)], images };
    });
  }

  destroy(): void {
    this.decodePlan.destroy();
    this.prefillPlan.destroy();
    this.copyPlan.destroy();
    this.drawn.destroy();
  }
}
