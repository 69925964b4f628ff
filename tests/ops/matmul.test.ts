import { afterEach, describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/gpu/commands';
import { Tape } from '../../src/gpu/tape';
import { createTensor, elementCount, writeTensor, type Tensor } from '../../src/gpu/tensor';
import { matmul } from '../../src/ops/matmul';
import { chooseMatmul } from '../../src/ops/matmul-choice';
import { defaultChoice, setMatmulChoice, splitSize, tileOf, type LargeVariant } from '../../src/ops/matmul-product';
import { checkOp, type OpInput } from '../helpers/check-op';
import { testDevice } from '../helpers/gpu';
import type { Array64 } from '../reference/array';
import * as reference from '../reference/matmul';

const variants: readonly LargeVariant[] = ['lanes', 'blocks', 'shared'];
const layouts = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;
const layoutName = ([transposeA, transposeB]: readonly [boolean, boolean]) =>
  (transposeA ? 'T' : 'N') + (transposeB ? 'T' : 'N');

async function use(variant: LargeVariant): Promise<void> {
  setMatmulChoice(await testDevice(), { large: variant, small: variant === 'blocks' ? 'lanes' : variant });
}

afterEach(async () => {
  const device = await testDevice();
  setMatmulChoice(device, defaultChoice(device));
});

interface Case {
  readonly size: readonly [number, number, number];
  readonly layout: readonly [boolean, boolean];
  readonly bias?: boolean;
  readonly residual?: boolean;
}

/** The output and every gradient against float64; also that two runs of backward add up. */
function check({ size: [M, N, K], layout, bias, residual }: Case): Promise<void> {
  const [transposeA, transposeB] = layout;
  const inputs: Record<string, OpInput> = {
    a: { shape: transposeA ? [K, M] : [M, K] },
    b: { shape: transposeB ? [N, K] : [K, N] },
    ...(bias ? { bias: { shape: [N] } } : {}),
    ...(residual ? { residual: { shape: [M, N] } } : {}),
  };
  const turn = (x: Array64, transposed: boolean) => (transposed ? reference.transpose(x) : x);
  const scale = 2e-6 * Math.sqrt(K);
  const gradientScale = 4e-6 * Math.sqrt(Math.max(M, N));
  return checkOp(
    {
      name: `matmul ${M}x${N}x${K} ${layoutName(layout)}`,
      inputs,
      build: (tape, { a, b, bias, residual }) =>
        matmul(tape, a, b, { name: 'c', transposeA, transposeB, bias, residual }),
      reference: (x) => reference.matmul(turn(x.a, transposeA), turn(x.b, transposeB), x.bias, x.residual),
      gradients: (x, dc) => ({
        a: turn(reference.matmul(dc, reference.transpose(turn(x.b, transposeB))), transposeA),
        b: turn(reference.matmul(reference.transpose(turn(x.a, transposeA)), dc), transposeB),
        ...(bias ? { bias: reference.columnSums(dc) } : {}),
        ...(residual ? { residual: dc } : {}),
      }),
    },
    {
      output: { absolute: 2e-6 + scale, relative: 1e-5 },
      gradient: { absolute: 4e-6 + gradientScale, relative: 1e-5 },
    },
  );
}

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

  const aligned = [
    [4, 4, 4],
    [20, 36, 24],
    [64, 48, 28],
    [36, 260, 132],
    [256, 128, 20],
  ] as const;
  for (const variant of variants) {
    for (const size of aligned) {
      for (const layout of layouts) {
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

interface Operands {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly bias: Tensor;
  readonly residual: Tensor;
  readonly upstream: Float32Array;
}

async function operands(M: number, N: number, K: number, layout: readonly [boolean, boolean]): Promise<Operands> {
  const device = await testDevice();
  const make = (name: string, ...shape: number[]) => {
    const tensor = createTensor(device, name, shape, { gradient: true });
    writeTensor(device, tensor, wave(elementCount(shape), name.length));
    return tensor;
  };
  const [a, b] = [layout[0] ? make('a', K, M) : make('a', M, K), layout[1] ? make('b2', N, K) : make('b2', K, N)];
  return { a, b, bias: make('bias', N), residual: make('residual', M, N), upstream: wave(M * N, 11) };
}

function wave(length: number, phase: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length }, (_, i) => Math.sin(12.9898 * i + phase) * 1.7);
}

/** Bits of the output and of all gradients. */
async function run(
  variant: LargeVariant,
  size: readonly [number, number, number],
  layout: readonly [boolean, boolean],
): Promise<Uint32Array[]> {
  const device = await testDevice();
  await use(variant);
  const { a, b, bias, residual, upstream } = await operands(...size, layout);
  const tape = new Tape(device, true);
  const c = matmul(tape, a, b, { name: 'c', transposeA: layout[0], transposeB: layout[1], bias, residual });
  const plan = await tape.seal();
  writeTensor(device, c.grad!, upstream);
  new Commands(device).run(plan.forward).run(plan.backward).submit();
  const tensors = [c, a.grad!, b.grad!, bias.grad!, residual.grad!];
  const bits = await Promise.all(
    tensors.map(async (tensor) => new Uint32Array((await readTensor(device, tensor)).buffer)),
  );
  expect(device.taint).toBeNull();
  plan.destroy();
  return bits;
}

describe('variants give the same bits', () => {
  for (const size of [
    [16, 64, 64],
    [132, 196, 68],
    [512, 128, 96],
    [1100, 64, 64],
  ] as const) {
    for (const layout of layouts) {
      test(`${size.join('x')} ${layoutName(layout)}`, async () => {
        const first = await run('lanes', size, layout);
        for (const variant of ['blocks', 'shared'] as const) {
          const other = await run(variant, size, layout);
          for (let i = 0; i < first.length; i++)
            expect(Buffer.compare(Buffer.from(first[i].buffer), Buffer.from(other[i].buffer))).toBe(0);
        }
      });
    }
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
    const plan = await tape.seal();
    expect(plan.forward).toHaveLength(1);
    expect(plan.backward).toHaveLength(0);
  });

  for (const [M, N, K] of [
    [192, 64, 32],
    [96, 20, 1024],
    [50, 19, 7],
  ]) {
    for (const variant of variants) {
      test(`${variant} ${M}x${N}x${K}: rows limits output and gradient of a, not the gradients of b and bias`, async () => {
        const device = await testDevice();
        await use(variant);
        const { a, b, bias, upstream } = await operands(M, N, K, [false, true]);
        let rows = M;
        const tape = new Tape(device, true);
        const c = matmul(tape, a, b, { name: 'c', transposeB: true, bias, rows: () => rows });
        const plan = await tape.seal();
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
        rows = 16;
        const some = await replay();
        expect(some[0].subarray(0, 16 * N)).toEqual(whole[0].subarray(0, 16 * N));
        expect(some[1].subarray(0, 16 * K)).toEqual(whole[1].subarray(0, 16 * K));
        expect(some[2]).toEqual(whole[2]);
        expect(some[3]).toEqual(whole[3]);
        expect([...some[0].subarray(-N)], 'the last rows are not computed').toEqual(new Array(N).fill(7));
        rows = 0;
        await replay();
        expect(device.taint).toBeNull();
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
    expect(tileOf(remembered, [512, 512, 512], 1).shader).toBe('matmul-shared');
    expect(tileOf(remembered, [16, 64, 64], 1).shader).toBe('matmul-lanes');
  });
});
