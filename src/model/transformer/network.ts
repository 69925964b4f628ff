/** The transformer as a network: packed segments for training, a key/value cache for sampling. */
import type { Tape } from '../../device/tape';
import type { Tensor } from '../../device/tensor';
import { attentionCached, rotaryIntoCache } from '../../ops/attention-cached';
import type { CachedTokens, Network, PositionFlop } from '../model';
import { ReferenceWeights } from '../reference-weights';
import { attendPacked, head, headWeight, hiddenStates, type Attend } from './forward';
import { parameterSpecs, type TransformerShape } from './shape';

export function transformer(shape: TransformerShape): Network {
  const { vocabulary, width, patchLength, layers, kvHeads, headSize } = shape;
  return {
    vocabulary,
    width,
    patchLength,
    specs: parameterSpecs(shape),
    flop: flopOf(shape),
    build: (tape, weights) => ({
      atSites: (batch, watch) => {
        const { site, usedPositions, usedSites } = batch;
        const attend = attendPacked(tape, shape, batch, usedPositions, watch);
        return hiddenStates(tape, weights, shape, batch, attend, usedPositions, { index: site, rows: usedSites });
      },
      logits: (hidden, rows) => head(tape, weights, shape, hidden, rows),
      headWeight: headWeight(weights, shape),
      next: (input) => hiddenStates(tape, weights, shape, input, attendCached(tape, shape, input), input.rows),
      fill: (input) => {
        hiddenStates(tape, weights, shape, input, attendCached(tape, shape, input, 'fill only'), input.rows);
      },
    }),
    cache: (tape, slots, contextLength) =>
      Array.from({ length: layers }, (_, i) =>
        tape.constant(`cache ${i}`, [slots, contextLength, 2, kvHeads, headSize]),
      ),
    reference: (device, weights) => new ReferenceWeights(device, weights),
  };
}

/**
 * Attention of each token to its slot's cache, which it enters first.
 * @param fillOnly end the model once the last layer's keys and values are cached
 */
function attendCached(
  tape: Tape,
  shape: TransformerShape,
  { cache, places, rows }: CachedTokens,
  fillOnly?: 'fill only',
): Attend {
  return (layer: number, qkv: Tensor) => {
    rotaryIntoCache(tape, qkv, cache[layer], places, shape, rows);
    if (fillOnly && layer === shape.layers - 1) return null;
    return attentionCached(tape, qkv, cache[layer], places, shape, rows);
  };
}

function flopOf(shape: TransformerShape): PositionFlop {
  const last = `blocks.${shape.layers - 1}.`;
  const matrices = parameterSpecs(shape).filter((spec) => spec.shape.length === 2);
  const sum = (isMeant: (name: string) => boolean) =>
    matrices.filter(({ name }) => isMeant(name)).reduce((flop, spec) => flop + 2 * spec.shape[0] * spec.shape[1], 0);
  const isBlock = (name: string) => name.startsWith('blocks.');
  return {
    trunk: sum(isBlock),
    // It ends when the last layer's keys and values are cached.
    prefill: sum((name) => isBlock(name) && (!name.startsWith(last) || name === `${last}wqkv`)),
    head: sum((name) => name === (shape.tied ? 'tok_emb' : 'lm_head')),
  };
}
