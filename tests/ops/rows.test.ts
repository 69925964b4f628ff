/** Ops of sampling touch only the leading rows that matter, up to the rounding of a workgroup. */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor, type Tensor } from '../../src/device/tensor';
import { embedding } from '../../src/ops/embedding';
import { gelu, swiglu } from '../../src/ops/mlp-activation';
import { rmsNorm } from '../../src/ops/rmsnorm';
import { Rows } from '../../src/ops/rows';
import { onBothDevices, testDevice } from '../helpers/devices';

const N = 200;
const D = 128;

type Op = (tape: Tape, x: Tensor, weight: Tensor, tokens: Tensor, rows: Rows) => Tensor;

const ops: Record<string, Op> = {
  embedding: (tape, x, _, tokens, rows) => embedding(tape, x, tokens, rows),
  rmsNorm: (tape, x, weight, _, rows) => rmsNorm(tape, x, weight, 1e-5, rows),
  swiglu: (tape, x, _, __, rows) => swiglu(tape, x, rows),
  gelu: (tape, x, _, __, rows) => gelu(tape, x, rows),
};

onBothDevices(() => {
  test.each(Object.entries(ops))('%s', (_, op) => check(op));
});

async function check(op: Op): Promise<void> {
  const device = await testDevice();
  const x = createTensor(device, 'x', [N, D], { gradient: true });
  const weight = createTensor(device, 'weight', [D], { gradient: true });
  const tokens = createTensor(device, 'tokens', [N], { type: 'u32' });
  writeTensor(device, x, new Float32Array(N * D).fill(1));
  writeTensor(device, weight, new Float32Array(D).fill(1));
  const tape = new Tape(device, false);
  const rows = new Rows(tape, 3);
  const y = op(tape, x, weight, tokens, rows);
  const plan = tape.seal();
  await device.compiled();
  expect(plan.backward).toHaveLength(0);
  const width = y.shape[1];
  const rowsWritten = async () => {
    new Commands(device).run(plan.forward).submit();
    const got = await readTensor(device, y);
    return (
      Array.from({ length: N }, (_, n) =>
        got.subarray(n * width, (n + 1) * width).every((value) => value > 0.4),
      ).lastIndexOf(true) + 1
    );
  };
  const few = await rowsWritten();
  expect(few).toBeGreaterThanOrEqual(3);
  expect(few).toBeLessThanOrEqual(3 + 64);
  rows.set(N);
  expect(await rowsWritten()).toBe(N);
}
