import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor } from '../../src/device/tensor';
import { matmul } from '../../src/ops/matmul';
import { chooseMatmul } from '../../src/ops/matmul-choice';
import { splitSize, tileOf } from '../../src/ops/matmul-product';
import { Rows } from '../../src/ops/rows';
import { checkOp } from '../helpers/check-op';
import { testDevice, onWebGpu } from '../helpers/devices';
import {
  aligned,
  check,
  expectSameBits,
  isQuick,
  layoutName,
  layouts,
  operands,
  sameBits,
  use,
  variants,
} from '../helpers/matmul';
import * as reference from '../reference/matmul';

onWebGpu(() => {
  describe('matmul against float64: output and gradients', () => {
    const ragged = [
      [1, 1, 1],
      [3, 5, 7],
      [19, 24, 6],
      [17, 33, 65],
      [1, 64, 20],
      [64, 1, 20],
    ] as const;
    for (const size of ragged) {
      for (const layout of layouts) {
        test(`${size.join('x')} ${layoutName(layout)}`, async () => {
          await check({ size, layout });
          await check({ size, layout, bias: true, residual: true });
        });
      }
    }

    for (const variant of variants) {
      for (const size of aligned) {
        for (const layout of layouts.filter((each) => isQuick(size, each))) {
          test(`${variant} ${size.join('x')} ${layoutName(layout)}`, async () => {
            await use(variant);
            await check({ size, layout });
            await check({ size, layout, bias: true, residual: true });
          });
        }
      }
    }

    for (const variant of variants) {
      test(`${variant}: a weight gradient over 1,300 rows is split`, async () => {
        await use(variant);
        expect(splitSize([64, 48, 1300])).toBeLessThan(1300);
        await check({ size: [1300, 64, 48], layout: [false, true], bias: true });
        await check({ size: [1300, 64, 48], layout: [false, false], residual: true });
        await check({ size: [8, 12, 2052], layout: [false, true], bias: true, residual: true });
      });
    }

    test('an odd weight gradient is split', () => check({ size: [1301, 19, 6], layout: [false, true], bias: true }));
  });

  describe('variants give the same bits', () => {
    for (const size of sameBits) {
      for (const layout of layouts.filter((each) => isQuick(size, each)))
        test(`${size.join('x')} ${layoutName(layout)}`, () => expectSameBits(size, layout));
    }
  });

  describe('matmul on a tape', () => {
    test('two uses of one weight add up', async () => {
      const size = [12, 8, 16] as const;
      await checkOp({
        name: 'x Wᵀ W',
        inputs: { x: { shape: [size[0], size[2]] }, w: { shape: [size[1], size[2]] } },
        build: (tape, { x, w }) => matmul(tape, matmul(tape, x, w, { name: 'h', transposeB: true }), w, { name: 'y' }),
        reference: ({ x, w }) => reference.matmul(reference.matmul(x, reference.transpose(w)), w),
      });
    });

    test('frozen operands emit nothing', async () => {
      const device = await testDevice();
      const tape = new Tape(device, true);
      const frozen = (name: string, ...shape: number[]) => createTensor(device, name, shape);
      matmul(tape, frozen('a', 8, 4), frozen('b', 12, 4), {
        name: 'c',
        transposeB: true,
        bias: frozen('bias', 12),
        residual: frozen('r', 8, 12),
      });
      const plan = tape.seal();
      await device.compiled();
      expect(plan.forward).toHaveLength(1);
      expect(plan.backward).toHaveLength(0);
    });

    for (const [M, N, K] of [
      [192, 64, 32],
      [96, 20, 1024],
      [50, 19, 7],
    ]) {
      for (const variant of variants) {
        test(`${variant} ${M}x${N}x${K}: rows limits output and gradient of a, not those of b and bias`, async () => {
          const device = await testDevice();
          await use(variant);
          const { a, b, bias, upstream } = await operands(M, N, K, [false, true]);
          const tape = new Tape(device, true);
          const rows = new Rows(tape, M);
          const c = matmul(tape, a, b, { name: 'c', transposeB: true, bias, rows });
          const plan = tape.seal();
          await device.compiled();
          const replay = async () => {
            writeTensor(device, c, new Float32Array(M * N).fill(7));
            new Commands(device).clear([a.grad!, b.grad!, bias.grad!]).submit();
            writeTensor(
              device,
              c.grad!,
              upstream.map((value, i) => (i < 16 * N ? value : 0)) as Float32Array<ArrayBuffer>,
            );
            new Commands(device).run(plan.forward).run(plan.backward).submit();
            return Promise.all([c, a.grad!, b.grad!, bias.grad!].map((tensor) => readTensor(device, tensor)));
          };
          const whole = await replay();
          rows.set(16);
          const some = await replay();
          expect(some[0].subarray(0, 16 * N)).toEqual(whole[0].subarray(0, 16 * N));
          expect(some[1].subarray(0, 16 * K)).toEqual(whole[1].subarray(0, 16 * K));
          expect(some[2]).toEqual(whole[2]);
          expect(some[3]).toEqual(whole[3]);
          expect([...some[0].subarray(-N)], 'the last rows are not computed').toEqual(new Array(N).fill(7));
          rows.set(0);
          await replay();
          expect(device.uncapturedError).toBeNull();
        });
      }
    }

    test('wrong shapes are named', async () => {
      const device = await testDevice();
      const tape = new Tape(device, true);
      const [a, b] = [createTensor(device, 'x', [4, 8]), createTensor(device, 'w', [4, 8])];
      expect(() => matmul(tape, a, b, { name: 'q' })).toThrow(
        'matmul q: x [4, 8] by w [4, 8]: the inner sizes 8 and 4 differ',
      );
      expect(() => matmul(tape, a, b, { name: 'q', transposeB: true, bias: a })).toThrow('bias x must have 4 numbers');
    });
  });

  describe('chooseMatmul', () => {
    test('measures once, and takes a remembered choice without measuring', async () => {
      const device = await testDevice();
      const first = await chooseMatmul(device);
      expect(variants).toContain(first.large);
      expect(variants).toContain(first.small);
      const { submits } = device.counters;
      expect(await chooseMatmul(device)).toEqual(first);
      const remembered = { large: 'shared', small: 'lanes' } as const;
      expect(await chooseMatmul(device, remembered)).toEqual(remembered);
      expect(device.counters.submits).toBe(submits);
      for (const broken of [
        null,
        'lanes',
        {},
        { large: 'lanes' },
        { large: 'lanes', small: 'blocks' },
        { large: 'x', small: 'x' },
      ])
        expect(await chooseMatmul(device, broken), JSON.stringify(broken)).toEqual(remembered);
      expect(tileOf(remembered, [512, 512, 512], 1).shader).toBe('matmul-shared');
      expect(tileOf(remembered, [16, 64, 64], 1).shader).toBe('matmul-lanes');
    });
  });
});
