import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { writeTensor } from '../../src/device/tensor';
import { rmsNorm } from '../../src/ops/rmsnorm';
import { checkOp, type OpInput } from '../helpers/check-op';
import { gpuDevice } from '../helpers/devices';
import * as reference from '../reference/rmsnorm';

function check(
  N: number,
  D: number,
  x: Partial<OpInput> = {},
  weight: Partial<OpInput> = {},
  lanes?: 1 | 64,
): Promise<void> {
  return checkOp({
    name: 'rmsNorm',
    inputs: { x: { shape: [N, D], ...x }, weight: { shape: [D], ...weight } },
    build: (tape, inputs) => rmsNorm(tape, inputs.x, inputs.weight, 1e-5, undefined, lanes),
    reference: (inputs) => reference.rmsNorm(inputs.x, inputs.weight, 1e-5),
  });
}

describe('rmsNorm', () => {
  test('[1, 1]', () => check(1, 1));
  test('[5, 7]', () => check(5, 7));
  test('[19, 12]', () => check(19, 12));
  test('[130, 8]: the weight gradient is summed in chunks', () => check(130, 8));
  test('[2, 320]', () => check(2, 320));
  test('a row of zeros', () => check(2, 6, { data: [0, 0, 0, 0, 0, 0, 1, 2, 3, -4, 5, 6] }));
  test('a frozen weight', () => check(3, 8, {}, { frozen: true }));
  test('a frozen input', () => check(3, 8, { frozen: true }));
  for (const [N, D] of [
    [1, 1],
    [19, 12],
    [3, 67],
    [2, 320],
  ])
    test(`[${N}, ${D}], a workgroup a row`, () => check(N, D, {}, {}, 64));

  test('a workgroup a row gives the bits of a thread a row', async () => {
    const outputs = [];
    for (const lanes of [1, 64] as const) outputs.push(await normed(lanes));
    expect(outputs[0]).toEqual(outputs[1]);
  });
});

/** 5 rows of 268 numbers on WebGPU. */
async function normed(lanes: 1 | 64): Promise<Float32Array> {
  const device = await gpuDevice();
  const tape = new Tape(device, false);
  const [x, weight] = [tape.constant('x', [5, 268]), tape.constant('weight', [268])];
  for (const tensor of [x, weight]) {
    const count = tensor.shape.reduce((product, size) => product * size, 1);
    writeTensor(
      device,
      tensor,
      Float32Array.from({ length: count }, (_, i) => 3 * Math.sin(i * i)),
    );
  }
  const y = rmsNorm(tape, x, weight, 1e-5, undefined, lanes);
  const plan = tape.seal();
  await device.compiled();
  new Commands(device).run(plan.forward).submit();
  const numbers = await readTensor(device, y);
  plan.destroy();
  return numbers;
}
