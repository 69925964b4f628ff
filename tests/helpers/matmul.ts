/** Products under test: against float64, and one variant of the kernel against the others. */
import { afterEach, expect } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, elementCount, writeTensor, type Tensor } from '../../src/device/tensor';
import { matmul } from '../../src/ops/matmul';
import { matmulChoices, type LargeVariant } from '../../src/ops/matmul-product';
import { checkOp, type OpInput } from './check-op';
import { gpuDevice, testDevice } from './devices';
import type { Array64 } from '../reference/array';
import * as reference from '../reference/matmul';

/** Rows, columns, inner size. */
type Size = readonly [number, number, number];
type Layout = readonly [boolean, boolean];

const { subgroupSize } = (await gpuDevice()).adapter;
/** All that the device can run. */
export const variants: readonly LargeVariant[] = [
  'lanes',
  'blocks',
  'shared',
  ...(subgroupSize ? (['subgroups'] as const) : []),
];
/** Whether a, and whether b, is stored transposed. */
export const layouts = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;
/** The layout of every layer: a plain, b transposed. */
export const usual = layouts[1];
export const layoutName = ([transposeA, transposeB]: Layout) => (transposeA ? 'T' : 'N') + (transposeB ? 'T' : 'N');

/** The device multiplies with this variant until the test ends. */
export async function use(variant: LargeVariant): Promise<void> {
  matmulChoices.set(await testDevice(), { large: variant, small: variant === 'blocks' ? 'lanes' : variant });
}

afterEach(async () => {
  matmulChoices.delete(await testDevice());
});

/** Sizes of which the variants take whole tiles. */
export const aligned: readonly Size[] = [
  [4, 4, 4],
  [20, 36, 24],
  [64, 48, 28],
  [36, 260, 132],
  [256, 128, 20],
];
/** Sizes at which the variants are compared with each other. */
export const sameBits: readonly Size[] = [
  [16, 64, 64],
  [132, 196, 68],
  [512, 128, 96],
  [1100, 64, 64],
];
/** Of both, those that `npm test` multiplies in the usual layout. */
const quick: readonly Size[] = [aligned[3], sameBits[1]];

/** Whether `npm test` multiplies it; `npm run test:full` has the rest. Each is a kernel of its own to compile. */
export const isQuick = (size: Size, layout: Layout): boolean =>
  size === aligned[0] || (layout === usual && quick.includes(size));

interface Case {
  readonly size: Size;
  readonly layout: Layout;
  readonly bias?: boolean;
  readonly residual?: boolean;
}

/** The output and every gradient against float64; also that two runs of backward add up. */
export function check({ size: [M, N, K], layout, bias, residual }: Case): Promise<void> {
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

interface Operands {
  readonly a: Tensor;
  readonly b: Tensor;
  readonly bias: Tensor;
  readonly residual: Tensor;
  readonly upstream: Float32Array;
}

export async function operands(M: number, N: number, K: number, layout: Layout): Promise<Operands> {
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
async function run(variant: LargeVariant, size: Size, layout: Layout): Promise<Uint32Array[]> {
  const device = await testDevice();
  await use(variant);
  const { a, b, bias, residual, upstream } = await operands(...size, layout);
  const tape = new Tape(device, true);
  const c = matmul(tape, a, b, { name: 'c', transposeA: layout[0], transposeB: layout[1], bias, residual });
  const plan = tape.seal();
  await device.compiled();
  writeTensor(device, c.grad!, upstream);
  new Commands(device).run(plan.forward).run(plan.backward).submit();
  const tensors = [c, a.grad!, b.grad!, bias.grad!, residual.grad!];
  const bits = await Promise.all(
    tensors.map(async (tensor) => new Uint32Array((await readTensor(device, tensor)).buffer)),
  );
  expect(device.uncapturedError).toBeNull();
  plan.destroy();
  return bits;
}

/** Bits of the output and of all gradients are those of `lanes` in every variant. */
export async function expectSameBits(size: Size, layout: Layout): Promise<void> {
  const [lanes, ...others] = variants;
  const first = await run(lanes, size, layout);
  for (const variant of others) {
    const other = await run(variant, size, layout);
    for (let i = 0; i < first.length; i++)
      expect(Buffer.compare(Buffer.from(first[i].buffer), Buffer.from(other[i].buffer))).toBe(0);
  }
}
