/**
 * On the CPU device a token's attention has the same bits wherever it is computed: packed, behind a shared prefix, from
 * the cache, or from a copy of the cache.
 */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor } from '../../src/device/tensor';
import { normal, Purpose } from '../../src/lib/rng';
import { attention } from '../../src/ops/attention';
import { attentionCached, copyCache, rotaryIntoCache } from '../../src/ops/attention-cached';
import { rotary, type RotaryOptions } from '../../src/ops/rotary';
import { Rows } from '../../src/ops/rows';
import { cpuDevice } from '../helpers/devices';
import { alone, sharing } from '../helpers/ranges';

const prefix = 9;
const own = [13, 30];
const length = prefix + own[1];

const layouts: readonly RotaryOptions[] = [
  { heads: 4, kvHeads: 4, headSize: 16, ropeBase: 10000, ropeStyle: 'half' },
  { heads: 4, kvHeads: 2, headSize: 24, ropeBase: 10000, ropeStyle: 'interleaved' },
  { heads: 3, kvHeads: 1, headSize: 6, ropeBase: 500, ropeStyle: 'half' },
];

/** The row of qkv of a token of the second segment, or of the prefix. */
function rowOf(position: number, width: number): number[] {
  return Array.from({ length: width }, (_, i) => Math.fround(normal(3, Purpose.init, position, i)));
}

/** @returns the output of the second segment and its prefix */
async function packed(options: RotaryOptions, ranges: readonly number[], tokens: readonly number[]) {
  const device = await cpuDevice();
  const tape = new Tape(device, false);
  const width = (options.heads + 2 * options.kvHeads) * options.headSize;
  const N = ranges.length / 4;
  const qkv = createTensor(device, 'qkv', [N, width]);
  const positions = tape.constant('positions', [N], 'u32');
  const seen = tape.constant('ranges', [N, 4], 'u32');
  const y = attention(tape, rotary(tape, qkv, positions, options), seen, options);
  const plan = tape.seal();
  const rows = Array.from({ length: N }, () => new Array<number>(width).fill(7));
  const at = new Uint32Array(N);
  tokens.forEach((n, position) => {
    rows[n] = rowOf(position, width);
    at[n] = position;
  });
  writeTensor(device, qkv, Float32Array.from(rows.flat()));
  writeTensor(device, positions, at);
  writeTensor(device, seen, Uint32Array.from(ranges));
  new Commands(device).run(plan.forward).submit();
  const out = await readTensor(device, y);
  plan.destroy();
  const size = options.heads * options.headSize;
  return tokens.map((n) => [...out.subarray(n * size, (n + 1) * size)]);
}

/** As `packed`, one token a replay; half of the cache is then copied to another slot. */
async function cached(options: RotaryOptions) {
  const device = await cpuDevice();
  const tape = new Tape(device, false);
  const width = (options.heads + 2 * options.kvHeads) * options.headSize;
  const qkv = createTensor(device, 'qkv', [1, width]);
  const places = tape.constant('places', [1, 2], 'u32');
  const cache = tape.constant('cache', [3, length + 2, 2, options.kvHeads, options.headSize]);
  rotaryIntoCache(tape, qkv, cache, places, options);
  const y = attentionCached(tape, qkv, cache, places, options);
  const plan = tape.seal();
  const copyTape = new Tape(device, false);
  const copies = copyTape.constant('copies', [1, 4], 'u32');
  copyCache(copyTape, cache, copies, new Rows(copyTape, 1));
  const copy = copyTape.seal();
  const out: number[][] = [];
  for (let position = 0; position < length; position++) {
    const slot = position < length / 2 ? 2 : 0;
    if (position === Math.ceil(length / 2)) {
      writeTensor(device, copies, Uint32Array.of(2, 0, 0, position));
      new Commands(device).run(copy.forward).submit();
    }
    writeTensor(device, qkv, Float32Array.from(rowOf(position, width)));
    writeTensor(device, places, Uint32Array.of(slot, position));
    new Commands(device).run(plan.forward).submit();
    out.push([...(await readTensor(device, y))]);
  }
  plan.destroy();
  copy.destroy();
  return out;
}

test.each(layouts)('$heads heads, $kvHeads key/value heads of $headSize', async (options) => {
  const numbers = (count: number, first: number) => Array.from({ length: count }, (_, i) => first + i);
  const expected = await packed(options, alone([length]), numbers(length, 0));
  expect(await packed(options, alone([3, length, 5]), numbers(length, 3))).toEqual(expected);
  const behind = [...numbers(prefix, 4), ...numbers(own[1], 4 + prefix + own[0])];
  const ranges = sharing([
    [0, [4]],
    [prefix, own],
  ]);
  expect(await packed(options, ranges, behind)).toEqual(expected);
  expect(await cached(options)).toEqual(expected);
});
