/** The totals of losses over micro-batches, on both devices. */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { Tape } from '../../src/device/tape';
import { writeTensor } from '../../src/device/tensor';
import { normal, Purpose } from '../../src/lib/rng';
import { lossTotals, readTotals, totalsLength } from '../../src/ops/loss-totals';
import { valueTotals } from '../../src/ops/value-loss';
import { expectClose } from '../helpers/check-op';
import { onBothDevices, testDevice } from '../helpers/devices';

const M = 150;
const tolerance = { absolute: 1e-4, relative: 1e-4 };

/** Standard normal numbers. */
const normals = (count: number, key: number) =>
  Float32Array.from({ length: count }, (_, i) => normal(3, Purpose.init, key, i));

/** Every third site has weight 0, and statistics that must not be read. */
function labels() {
  const sites = normals(4 * M, 0);
  const stats = normals(8 * M, 1);
  for (let m = 0; m < M; m += 3) {
    sites[4 * m + 3] = 0;
    stats.fill(NaN, 8 * m, 8 * m + 8);
  }
  return { sites, stats };
}

/** Adds the same micro-batch twice to totals of 0. */
async function addTwice({ sites, stats }: ReturnType<typeof labels>) {
  const device = await testDevice();
  const tape = new Tape(device, false);
  const tensors = {
    sites: tape.constant('sites', [M, 4]),
    stats: tape.constant('stats', [M, 8]),
    totals: tape.constant('totals', [totalsLength]),
    veto: tape.constant('veto', [1]),
    valueStats: tape.constant('value statistics', [M, 2]),
    valueTotals: tape.constant('value totals', [2]),
  };
  lossTotals(tape, tensors.sites, tensors.stats, tensors.totals, tensors.veto);
  valueTotals(tape, tensors.sites, tensors.valueStats, tensors.valueTotals);
  const plan = tape.seal();
  await device.compiled();
  writeTensor(device, tensors.sites, sites);
  writeTensor(device, tensors.stats, stats);
  writeTensor(device, tensors.valueStats, stats.subarray(0, 2 * M));
  new Commands(device).run(plan.forward).run(plan.forward).submit();
  const results = {
    totals: readTotals(await readTensor(device, tensors.totals)),
    veto: (await readTensor(device, tensors.veto))[0],
    valueTotals: await readTensor(device, tensors.valueTotals),
  };
  plan.destroy();
  return results;
}

const sum = (count: number, term: (m: number) => number) =>
  Array.from({ length: count }, (_, m) => term(m)).reduce((total, each) => total + each, 0);

onBothDevices(() => {
  test('sites of weight 0 are left out, and every statistic is added', async () => {
    const { sites, stats } = labels();
    const perSite = (term: (m: number) => number) => 2 * sum(M, (m) => (sites[4 * m + 3] === 0 ? 0 : term(m)));
    const column = (k: number) => perSite((m) => stats[8 * m + k]);
    const expected = {
      sites: perSite(() => 1),
      weightedLoss: perSite((m) => sites[4 * m + 3] * stats[8 * m + 2]),
      logProb: column(0),
      entropy: column(1),
      loss: column(2),
      kl: column(3),
      ratio: column(4),
      clipped: column(5),
      dualClipped: column(6),
      approxKl: column(7),
      clippedAbove: perSite((m) => (sites[4 * m + 2] > 0 ? stats[8 * m + 5] : 0)),
    };
    const { totals, veto } = await addTwice({ sites, stats });
    expect(Object.keys(totals)).toEqual(Object.keys(expected));
    expectClose('totals', Object.values(totals), Object.values(expected), tolerance);
    expect(veto).toBe(0);
  });

  test('a statistic that is not finite adds nothing and vetoes the update', async () => {
    for (const broken of [NaN, Infinity, -Infinity]) {
      const { sites, stats } = labels();
      stats[8 * 100 + 7] = broken;
      const { totals, veto } = await addTwice({ sites, stats });
      expect([...Object.values(totals), veto]).toEqual([...new Array<number>(11).fill(0), 1]);
    }
  });

  test("the value loss's totals are weighted", async () => {
    const { sites, stats } = labels();
    stats.forEach((value, i) => (stats[i] = Number.isNaN(value) ? 1 : value));
    const expected = [0, 1].map((k) => 2 * sum(M, (m) => sites[4 * m + 3] * stats[2 * m + k]));
    const results = await addTwice({ sites, stats });
    expectClose('value totals', results.valueTotals, expected, tolerance);
    stats[2] = NaN;
    expect([...(await addTwice({ sites, stats })).valueTotals]).toEqual([0, 0]);
  });
});
