/** The value loss on both devices against the reference vectors, those of whole recipes too. */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { writeTensor } from '../../src/device/tensor';
import { valueLoss } from '../../src/ops/value-loss';
import { onBothDevices, testDevice } from '../helpers/devices';
import { siteWeights } from '../helpers/site-weights';
import { expectNear, vectorsOf, type VectorCase } from '../helpers/vectors';

/** Checks loss and gradient; returns the clip fraction. */
async function checkValueLoss({ inputs, params, expected }: VectorCase): Promise<number> {
  const { value, old_value, returns, mask } = inputs;
  const places: [number, number][] = (mask as number[][]).flatMap((row, b) =>
    row.flatMap((m, t) => (m ? [[b, t] as [number, number]] : [])),
  );
  if (places.length === 0) {
    expect(expected.loss, 'an empty mask gives loss 0').toBe(0);
    return 0;
  }
  const perPlace = siteWeights(mask, params.agg, params.horizon);
  const weights = places.map(([b, t]) => perPlace[b][t]);
  const device = await testDevice();
  const tape = new Tape(device, true);
  const M = places.length;
  const values = tape.activation('values', [M]);
  const sites = tape.constant('value sites', [M, 4]);
  const stats = tape.constant('value statistics', [M, 2]);
  valueLoss(tape, values, sites, stats, params.clip);
  const plan = tape.seal();
  await device.compiled();
  writeTensor(
    device,
    values,
    Float32Array.from(places, ([b, t]) => value[b][t]),
  );
  writeTensor(
    device,
    sites,
    Float32Array.from(places.flatMap(([b, t], n) => [old_value[b][t], returns[b][t], 1, weights[n]])),
  );
  new Commands(device).run(plan.forward).submit();
  const [got, gradient] = [await readTensor(device, stats), await readTensor(device, values.grad!)];
  expectNear(
    weights.reduce((sum, weight, n) => sum + weight * got[2 * n], 0),
    expected.loss,
    2e-5,
    'loss',
  );
  places.forEach(([b, t], n) => expectNear(gradient[n], expected.grad_value[b][t], 2e-5, `grad_value[${b}][${t}]`));
  plan.destroy();
  return places.reduce((sum, _, n) => sum + got[2 * n + 1], 0) / M;
}

onBothDevices(() => {
  for (const file of vectorsOf('value_loss'))
    for (const item of file.cases)
      test(`${file.path}: ${item.name}`, async () => {
        expectNear(await checkValueLoss(item), item.expected.clip_fraction, 1e-6, 'clip fraction');
      });

  for (const file of vectorsOf('pipeline'))
    for (const { name, inputs, params, expected } of file.cases)
      if (expected.value_loss !== undefined)
        test(`${file.path}: ${name}`, async () => {
          // A critic of steps is trained on the first position of each row.
          const mask = name?.startsWith('PSPO')
            ? inputs.mask.map((row: number[]) => row.map((_, t) => (t === 0 ? 1 : 0)))
            : inputs.mask;
          await checkValueLoss({
            inputs: { ...inputs, mask, returns: expected.returns },
            params: { clip: params.value_clip, agg: params.agg ?? 'token-mean' },
            expected: { loss: expected.value_loss, grad_value: expected.grad_value },
          });
        });
});
