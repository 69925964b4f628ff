/** Products with weights in half precision: against float64, and the bits of the same product of float32 weights. */
import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, viewTensor, writeTensor, type ElementType } from '../../src/device/tensor';
import { packHalfRows, unpackHalves } from '../../src/lib/half';
import { matmul } from '../../src/ops/matmul';
import { checkOp, type OpInput } from '../helpers/check-op';
import { onBothDevices, onWebGpu, testDevice } from '../helpers/devices';
import { use, variants } from '../helpers/matmul';
import * as reference from '../reference/matmul';

interface Case {
  readonly M: number;
  readonly out: number;
  readonly inner: number;
  readonly data?: ArrayLike<number>;
}

/** x Wᵀ with bias and residual, and the gradients of x, bias and residual. */
function check({ M, out, inner, data }: Case): Promise<void> {
  const weight: OpInput = { shape: [out, inner], type: 'f16', data };
  return checkOp(
    {
      name: `x [${M}, ${inner}] by halves [${out}, ${inner}]`,
      inputs: { x: { shape: [M, inner] }, weight, bias: { shape: [out] }, residual: { shape: [M, out] } },
      build: (tape, { x, weight, bias, residual }) =>
        matmul(tape, x, weight, { name: 'y', transposeB: true, bias, residual }),
      reference: ({ x, weight, bias, residual }) => reference.matmul(x, reference.transpose(weight), bias, residual),
      gradients: ({ weight }, dy) => ({
        x: reference.matmul(dy, weight),
        bias: reference.columnSums(dy),
        residual: dy,
      }),
    },
    {
      output: { absolute: 2e-6 + 2e-6 * Math.sqrt(inner), relative: 1e-5 },
      gradient: { absolute: 4e-6 + 4e-6 * Math.sqrt(out), relative: 1e-5 },
    },
  );
}

const sizes: readonly Case[] = [
  { M: 1, out: 1, inner: 1 },
  { M: 1, out: 19, inner: 7 },
  { M: 3, out: 5, inner: 33 },
  { M: 1, out: 64, inner: 20 },
  { M: 17, out: 33, inner: 65 },
  { M: 5, out: 40, inner: 516 },
  { M: 70, out: 100, inner: 1029 },
];

describe('a product with halves against float64', () => {
  for (const size of sizes) test(`${size.M}x${size.out}x${size.inner}`, () => check(size));

  test('subnormal halves, zeros of both signs and the largest half', () => {
    const special = [2 ** -24, -(2 ** -24), 1023 * 2 ** -24, 2 ** -14, 0, -0, 65504, -3 * 2 ** -20];
    return check({ M: 4, out: 8, inner: 9, data: Array.from({ length: 72 }, (_, i) => special[(i * 5) % 8]) });
  });
});

/** Halves of many sizes, subnormal ones among them. */
function weights(out: number, inner: number): Float32Array<ArrayBuffer> {
  const numbers = Float32Array.from({ length: out * inner }, (_, i) => Math.sin(12.9898 * i) * 2 ** -((i * 7) % 23));
  const width = inner + (inner % 2);
  const rounded = unpackHalves(packHalfRows(numbers, inner));
  return numbers.map((_, i) => rounded[Math.floor(i / inner) * width + (i % inner)]) as Float32Array<ArrayBuffer>;
}

/** Bits of the product and of the gradient of x. */
async function bitsOf(type: ElementType, { M, out, inner }: Case, first = 0): Promise<Uint32Array[]> {
  const device = await testDevice();
  const tape = new Tape(device, true);
  const x = tape.activation('x', [M, inner]);
  const numbers = weights(first + out, inner);
  const all = createTensor(device, 'weights', [first + out, inner], { type });
  writeTensor(device, all, type === 'f16' ? packHalfRows(numbers, inner) : numbers);
  const weight = first === 0 ? all : viewTensor(all, 'last rows', first * inner, [out, inner]);
  const y = matmul(tape, x, weight, { name: 'y', transposeB: true });
  const plan = tape.seal();
  await device.compiled();
  writeTensor(
    device,
    x,
    Float32Array.from({ length: M * inner }, (_, i) => Math.sin(i)),
  );
  writeTensor(
    device,
    y.grad!,
    Float32Array.from({ length: M * out }, (_, i) => Math.sin(3 * i)),
  );
  new Commands(device).run(plan.forward).run(plan.backward).submit();
  const read = await Promise.all([y, x.grad!].map((tensor) => readTensor(device, tensor)));
  expect(device.uncapturedError).toBeNull();
  plan.destroy();
  all.buffer.destroy();
  return read.map(({ buffer }) => new Uint32Array(buffer));
}

onBothDevices(() => {
  for (const size of [
    { M: 1, out: 12, inner: 9 },
    { M: 3, out: 50, inner: 600 },
    { M: 70, out: 64, inner: 520 },
  ]) {
    test(`${size.M}x${size.out}x${size.inner}: the bits are those of the same weights in float32`, async () => {
      expect(await bitsOf('f16', size)).toEqual(await bitsOf('f32', size));
    });
  }

  test('rows of a larger tensor', async () => {
    const size = { M: 2, out: 10, inner: 32 };
    expect(await bitsOf('f16', size, 64)).toEqual(await bitsOf('f32', size, 64));
  });

  test('halves belong to the second operand, and have no gradient', async () => {
    const device = await testDevice();
    const tape = new Tape(device, true);
    const [x, w] = [tape.activation('x', [4, 4]), tape.constant('w', [4, 4], 'f16')];
    expect(() => matmul(tape, w, x, { name: 'y' })).toThrow('only b may hold halves');
    expect(() => matmul(tape, x, w, { name: 'y', transposeA: true })).toThrow('only b may hold halves');
    expect(() => createTensor(device, 'w', [4, 4], { type: 'f16', gradient: true })).toThrow('has no gradient');
  });
});

onWebGpu(() => {
  for (const variant of variants) {
    test(`${variant}: the bits are those of float32 weights`, async () => {
      await use(variant);
      const size = { M: 8, out: 16, inner: 12 };
      expect(await bitsOf('f16', size)).toEqual(await bitsOf('f32', size));
    });
  }
});
