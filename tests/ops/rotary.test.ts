import { describe, test } from 'vitest';
import { rotary, type RotaryOptions } from '../../src/ops/rotary';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/rotary';

function check(options: RotaryOptions, positions: readonly number[]): Promise<void> {
  const width = (options.heads + 2 * options.kvHeads) * options.headSize;
  return checkOp(
    {
      name: 'rotary',
      inputs: {
        qkv: { shape: [positions.length, width] },
        positions: { shape: [positions.length], type: 'u32', data: positions },
      },
      build: (tape, inputs) => rotary(tape, inputs.qkv, inputs.positions, options),
      reference: ({ qkv, positions: at }) => reference.rotary(qkv, at, options),
    },
    { output: { absolute: 1e-5 + 1e-7 * Math.max(...positions), relative: 1e-5 } },
  );
}

describe('rotary', () => {
  for (const style of ['half', 'interleaved'] as const) {
    test(`${style}, head size 2`, () =>
      check({ heads: 1, kvHeads: 1, headSize: 2, ropeBase: 10000, ropeStyle: style }, [0, 1, 2]));
    test(`${style}, head size 6`, () =>
      check({ heads: 3, kvHeads: 1, headSize: 6, ropeBase: 10000, ropeStyle: style }, [0, 3, 1, 60]));
    test(`${style}, head size 16, far positions`, () =>
      check({ heads: 2, kvHeads: 2, headSize: 16, ropeBase: 500, ropeStyle: style }, [0, 511, 1023, 2047]));
  }
});
