import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { writeTensor } from '../../src/device/tensor';
import { normal, Purpose } from '../../src/lib/rng';
import { attentionCached, rotaryIntoCache } from '../../src/ops/attention-cached';
import { Rows } from '../../src/ops/rows';
import type { RotaryOptions } from '../../src/ops/rotary';
import { expectClose } from '../helpers/check-op';
import { testDevice, onBothDevices } from '../helpers/devices';
import { alone } from '../helpers/ranges';
import { attention } from '../reference/attention';
import { rotary } from '../reference/rotary';

onBothDevices(() => {
  const idle = 0xffffffff;
  type Replays = readonly (readonly (readonly [number, number])[])[];
  const slots = 3;

  /**
   * Two sequences, in slots 2 and 0: what each replay feeds, as (slot, position) per token. The order in a replay is
   * free.
   */
  const short: Replays = [
    [
      [2, 0],
      [2, 1],
      [0, 0],
      [2, 2],
      [0, 1],
    ],
    [
      [0, 2],
      [1, idle],
      [2, 3],
    ],
    [
      [2, 4],
      [0, 3],
    ],
  ];

  /** A slot that a workgroup of 64 reads in two turns. */
  const long: Replays = [Array.from({ length: 70 }, (_, position) => [2, position])];

  async function check(options: RotaryOptions, shared?: boolean, replays = short): Promise<void> {
    const { heads, kvHeads, headSize } = options;
    const device = await testDevice();
    const tape = new Tape(device, false);
    const width = (heads + 2 * kvHeads) * headSize;
    const capacity = Math.max(...replays.map(({ length }) => length));
    const cacheLength = capacity + 6;
    const qkv = tape.constant('qkv', [capacity, width]);
    const places = tape.constant('places', [capacity, 2], 'u32');
    const cache = tape.constant('cache', [slots, cacheLength, 2, kvHeads, headSize]);
    const rows = new Rows(tape, 1);
    rotaryIntoCache(tape, qkv, cache, places, options, rows);
    const y = attentionCached(tape, qkv, cache, places, options, rows, shared);
    const plan = tape.seal();
    await device.compiled();
    expect(plan.backward).toHaveLength(0);

    const vector = (slot: number, position: number) =>
      Array.from({ length: width }, (_, i) => Math.fround(normal(3, Purpose.init, slot, position, i)));
    // A position does not depend on later ones.
    const wholes = Array.from({ length: slots }, (_, slot) => whole(slot, lengthOf(slot)));
    for (const tokens of replays) {
      rows.set(tokens.length);
      writeTensor(device, qkv, Float32Array.from(tokens.flatMap(([slot, position]) => vector(slot, position))));
      writeTensor(device, places, Uint32Array.from(tokens.flat()));
      new Commands(device).run(plan.forward).submit();
      const got = await readTensor(device, y);
      const outWidth = heads * headSize;
      tokens.forEach(([slot, position], n) => {
        if (position === idle) return;
        const expected = wholes[slot].slice(position * outWidth, (position + 1) * outWidth);
        expectClose(`slot ${slot}, position ${position}`, got.slice(n * outWidth, (n + 1) * outWidth), expected, {
          absolute: 2e-5,
          relative: 2e-5,
        });
      });
    }
    expect(
      (await readTensor(device, cache))
        .slice((cache.sizeBytes / 4 / slots) * 1, (cache.sizeBytes / 4 / slots) * 2)
        .every((value) => value === 0),
    ).toBe(true);
    expect(device.uncapturedError).toBeNull();

    function lengthOf(slot: number): number {
      const positions = replays.flat().map(([of, position]) => (of === slot && position !== idle ? position : -1));
      return 1 + Math.max(...positions);
    }

    /** Rotation and attention of the slot's whole sequence, recomputed in float64. */
    function whole(slot: number, length: number): Float64Array {
      const positions = { shape: [length], data: Float64Array.from({ length }, (_, i) => i) };
      const rows = {
        shape: [length, width],
        data: Float64Array.from(Array.from({ length }, (_, i) => vector(slot, i)).flat()),
      };
      const ranges = { shape: [length, 4], data: Float64Array.from(alone([length])) };
      return attention(rotary(rows, positions, options), ranges, { heads, kvHeads, headSize }).data;
    }
  }

  test('grouped heads', () => check({ heads: 4, kvHeads: 2, headSize: 16, ropeBase: 10000, ropeStyle: 'half' }));
  test('a workgroup a head, of more positions than threads', () =>
    check({ heads: 2, kvHeads: 1, headSize: 64, ropeBase: 10000, ropeStyle: 'half' }, true, long));
  test('a workgroup a head, some of whose threads add nothing', () =>
    check({ heads: 3, kvHeads: 1, headSize: 96, ropeBase: 10000, ropeStyle: 'half' }, true));
  test('one key/value head, head size 6', () =>
    check({ heads: 3, kvHeads: 1, headSize: 6, ropeBase: 10000, ropeStyle: 'interleaved' }));
});
