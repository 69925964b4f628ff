/** Llama, Qwen2 and Qwen3 as a network: a frozen base from files, and adapters that are trained. */
import type { Commands } from '../../device/commands';
import type { Dispatch } from '../../device/device';
import type { Tape } from '../../device/tape';
import type { Tensor } from '../../device/tensor';
import { attentionCached, rotaryIntoCache } from '../../ops/attention-cached';
import type { CachedTokens, Network, PositionFlop, Reference } from '../model';
import { attendPacked, head, headWeight, hiddenStates, rotaryOf, type Attend, type Recording } from './forward';
import { linearLayers, llamaSpecs, type LlamaOptions } from './layers';
import type { LlamaShape } from './shape';

export function llama(shape: LlamaShape, options: LlamaOptions = {}): Network {
  const { lora, maxKeptBytes = 1 << 30 } = options;
  const { vocabulary, width, layers, kvHeads, headSize } = shape;
  let isOn = true;
  const adapter = lora && { settings: lora, isOn: () => isOn };
  const withoutAdapter = (encode: () => void) => {
    isOn = false;
    encode();
    isOn = true;
  };
  return {
    vocabulary,
    width,
    specs: llamaSpecs(shape, options),
    flop: flopOf(shape),
    build: (tape, weights) => {
      const recording = { tape, weights, shape, adapter, maxKeptBytes };
      return {
        atSites: (batch, watch) => {
          const { tokens, site, usedPositions, usedSites } = batch;
          const sites = { index: site, rows: usedSites };
          return hiddenStates(recording, tokens, attendPacked(recording, batch, watch), usedPositions, sites);
        },
        logits: (hidden, rows) => head(recording, hidden, rows),
        headWeight: headWeight(weights, shape),
        next: (input) => hiddenStates(recording, input.tokens, attendCached(recording, input), input.rows),
        fill: (input) => {
          hiddenStates(recording, input.tokens, attendCached(recording, input, 'fill only'), input.rows);
        },
      };
    },
    cache: (tape: Tape, slots: number, contextLength: number) =>
      Array.from({ length: layers }, (_, i) =>
        tape.constant(`cache ${i}`, [slots, contextLength, 2, kvHeads, headSize]),
      ),
    reference: () => new WithoutAdapter(withoutAdapter),
  };
}

/** The reference policy is the base: the same weights with the adapter switched off. */
class WithoutAdapter implements Reference {
  readonly copy = null;

  /** @param switchedOff runs what encodes commands while the adapter is off */
  constructor(private readonly switchedOff: (encode: () => void) => void) {}

  async capture(): Promise<void> {}

  run(commands: Commands, dispatches: readonly Dispatch[]): Commands {
    this.switchedOff(() => commands.run(dispatches));
    return commands;
  }

  destroy(): void {}
}

/**
 * Attention of each token to its slot's cache, which it enters first.
 * @param fillOnly end the model once the last layer's keys and values are cached
 */
function attendCached(
  { tape, shape }: Recording,
  { cache, places, rows }: CachedTokens,
  fillOnly?: 'fill only',
): Attend {
  return (layer: number, qkv: Tensor) => {
    rotaryIntoCache(tape, qkv, cache[layer], places, rotaryOf(shape), rows);
    if (fillOnly && layer === shape.layers - 1) return null;
    return attentionCached(tape, qkv, cache[layer], places, shape, rows);
  };
}

/** Adapters are left out: with rank 16 they are a few hundredths of it. */
function flopOf(shape: LlamaShape): PositionFlop {
  const layers = linearLayers(shape).map(({ into, out }) => 2 * into * out);
  const block = layers.reduce((sum, flop) => sum + flop, 0);
  return {
    trunk: shape.layers * block,
    // It ends when the last layer's keys and values are cached.
    prefill: (shape.layers - 1) * block + layers[0],
    head: 2 * shape.vocabulary * shape.width,
  };
}
