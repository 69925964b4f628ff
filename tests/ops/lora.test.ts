import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor } from '../../src/device/tensor';
import { lora, type Columns } from '../../src/ops/lora';
import { Rows } from '../../src/ops/rows';
import { checkOp } from '../helpers/check-op';
import { onBothDevices, testDevice } from '../helpers/devices';
import * as reference from '../reference/lora';

const sumOf = (parts: readonly Columns[]) => parts.reduce((sum, { width }) => sum + width, 0);
const on = () => true;

function check(N: number, width: number, R: number, parts: readonly Columns[]): Promise<void> {
  return checkOp({
    name: 'lora',
    inputs: {
      hidden: { shape: [N, parts.length * R] },
      weight: { shape: [sumOf(parts), R] },
      base: { shape: [N, width] },
    },
    build: (tape, { hidden, weight, base }) => lora(tape, base, hidden, weight, { scale: 1.5, parts, isOn: on }),
    reference: ({ hidden, weight, base }) => reference.lora(base, hidden, weight, 1.5, parts),
  });
}

describe('lora', () => {
  const columns = (...bounds: [number, number][]) => bounds.map(([first, width]) => ({ first, width }));
  test('the whole output, rank 1', () => check(3, 5, 1, columns([0, 5])));
  test('three parts of unequal width, rank 4', () => check(4, 12, 4, columns([0, 6], [6, 3], [9, 3])));
  test('the first and the last part, rank 2', () => check(3, 10, 2, columns([0, 4], [7, 3])));
  test('the middle part alone, rank 8', () => check(2, 9, 8, columns([3, 4])));
});

onBothDevices(() => {
  const build = async (isOn: () => boolean, used: number) => {
    const device = await testDevice();
    const tape = new Tape(device, true);
    const tensors = [
      [6, 7],
      [6, 3],
      [7, 3],
    ].map((shape, i) => {
      const tensor = createTensor(device, `t${i}`, shape, { gradient: true });
      writeTensor(
        device,
        tensor,
        Float32Array.from({ length: shape[0] * shape[1] }, (_, k) => Math.sin(k + 9 * i)),
      );
      return tensor;
    });
    const [y, hidden, weight] = tensors;
    const rows = new Rows(tape, used);
    lora(tape, y, hidden, weight, { scale: 2, parts: [{ first: 0, width: 7 }], isOn, rows });
    writeTensor(
      device,
      y.grad!,
      Float32Array.from({ length: 42 }, (_, k) => (k < 7 * used ? Math.cos(k) : 0)),
    );
    const plan = tape.seal();
    await device.compiled();
    new Commands(device).run(plan.forward).run(plan.backward).submit();
    const gradients = [await readTensor(device, hidden.grad!), await readTensor(device, weight.grad!)];
    return { device, y, gradients };
  };

  test('switched off, the output keeps its bits', async () => {
    const { device, y } = await build(() => false, 6);
    expect(await readTensor(device, y)).toEqual(Float32Array.from({ length: 42 }, (_, k) => Math.sin(k)));
    expect(await readTensor(device, (await build(on, 6)).y)).not.toEqual(await readTensor(device, y));
  });

  test('tokens behind the used rows are not summed', async () => {
    const { gradients } = await build(on, 4);
    expect(gradients[0].slice(12)).toEqual(new Float32Array(6));
    const whole = await build(on, 6);
    expect(gradients[1]).not.toEqual(whole.gradients[1]);
  });
});
