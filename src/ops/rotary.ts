/** Rotary position embedding of queries and keys (Su et al. 2021, equation 34), in place. */
import type { Tape } from '../device/tape';
import { writeTensor, type Tensor } from '../device/tensor';
import { exp, log } from '../lib/portable-math';
import { assertHeads, type HeadLayout } from './attention';
import { rowGrid, type Rows } from './rows';

export interface RotaryOptions extends HeadLayout {
  /** Pair i of E/2 turns by position * ropeBase^(-2i/E). */
  readonly ropeBase: number;
  /** Whether component i is paired with i + E/2 (`half`) or 2i with 2i + 1 (`interleaved`). */
  readonly ropeStyle: 'half' | 'interleaved';
}

/**
 * Rotates the queries and keys of qkv in place and returns the same tensor. The backward rotates its gradient back in
 * place, so no other op may read qkv before this one.
 * @param qkv [N, (H+2Hk)E], E even
 * @param positions u32 [N]
 */
export function rotary(tape: Tape, qkv: Tensor, positions: Tensor, options: RotaryOptions, rows?: Rows): Tensor {
  assertHeads('rotary', qkv, options);
  const N = qkv.shape[0];
  const constants = { N, ...rotaryConstants(options) };
  const frequencies = rotaryFrequencies(tape, options);
  const grid = rowGrid(N, options.headSize / 2, rows);
  const turn = (x: Tensor, DIRECTION: 1 | -1) =>
    tape.dispatch('rotary', 'rotate', { ...constants, DIRECTION }, { x, positions, frequencies }, grid);
  turn(qkv, 1);
  tape.onBackward(() => {
    if (qkv.grad) turn(qkv.grad, -1);
  });
  return qkv;
}

export function rotaryConstants({ heads, kvHeads, headSize, ropeStyle }: RotaryOptions): Record<string, number> {
  const [PAIR_STRIDE, PARTNER] = ropeStyle === 'half' ? [1, headSize / 2] : [2, 1];
  return { H: heads, HK: kvHeads, E: headSize, PAIR_STRIDE, PARTNER };
}

/** ropeBase^(-2i/E) for each pair i: [E/2], computed in float64. */
export function rotaryFrequencies(tape: Tape, { headSize, ropeBase }: RotaryOptions): Tensor {
  const frequencies = tape.constant('rotary frequencies', [headSize / 2]);
  const numbers = Float32Array.from({ length: headSize / 2 }, (_, i) => exp(((-2 * i) / headSize) * log(ropeBase)));
  writeTensor(tape.device, frequencies, numbers);
  return frequencies;
}
