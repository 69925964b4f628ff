/** A loss of logits in slices has the statistics and gradients of the same loss of stored logits. */
import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import type { Device } from '../../src/device/device';
import { DryDevice } from '../../src/device/dry-device';
import { Tape } from '../../src/device/tape';
import { createTensor, writeTensor, type Tensor } from '../../src/device/tensor';
import { packHalfRows, unpackHalves } from '../../src/lib/half';
import { normal, Purpose } from '../../src/lib/rng';
import { crossEntropy } from '../../src/ops/cross-entropy';
import { matmul } from '../../src/ops/matmul';
import { policyLoss, policySettings, writePolicySettings, type LossInputs } from '../../src/ops/policy-loss';
import { Rows } from '../../src/ops/rows';
import { maxWholeLogitBytes, needsSlices, sliceLogits, type SlicedLogits } from '../../src/ops/vocabulary-slices';
import { expectClose } from '../helpers/check-op';
import { onBothDevices, testDevice } from '../helpers/devices';

const [M, D, V] = [22, 12, 333];
/** 128 tokens: the last slice has fewer. */
const sliceBytes = M * 4 * 128;
/** Sites of a replay; those behind them have weight 0. */
const used = 17;

type Loss = (tape: Tape, logits: Tensor | SlicedLogits, inputs: Required<LossInputs>, rows: Rows) => void;

interface Case {
  readonly loss: Loss;
  /** What the head holds; it is trained if not given. */
  readonly frozen?: 'f16' | 'f32';
  /** Whether the loss is only measured. */
  readonly measured?: boolean;
  /** Multiplies the hidden states. */
  readonly scale?: number;
}

const numbersOf = (count: number, key: number, scale: number) =>
  Float32Array.from({ length: count }, (_, i) => scale * normal(7, Purpose.init, key, i));

const inputsOf = (tape: Tape) => ({
  targets: tape.constant('targets', [M], 'u32'),
  sites: tape.constant('sites', [M, 4]),
  sequences: tape.constant('sequences', [M, 2], 'u32'),
  stats: tape.constant('stats', [M, 8]),
});

/** Statistics of the used sites and the gradients of hidden states and weights. */
async function run({ loss, frozen, measured = false, scale = 1 }: Case, sliced: boolean) {
  const device = await testDevice();
  const tape = new Tape(device, true);
  const lossTape = new Tape(device, !measured);
  const hidden = tape.activation('hidden', [M, D]);
  const weight = createTensor(device, 'head', [V, D], frozen ? { type: frozen } : { gradient: true });
  const words = packHalfRows(numbersOf(V * D, 1, 1), D);
  writeTensor(device, weight, frozen === 'f16' ? words : unpackHalves(words));
  const inputs = inputsOf(tape);
  const rows = new Rows(tape, M);
  const logits = sliced
    ? sliceLogits(tape, hidden, weight, rows, sliceBytes)
    : matmul(tape, hidden, weight, { name: 'logits', transposeB: true, rows });
  loss(lossTape, logits, inputs, rows);
  const [plan, lossPlan] = [tape.seal(), lossTape.seal()];
  await device.compiled();
  writeTensor(
    device,
    inputs.targets,
    Uint32Array.from({ length: M }, (_, m) => (m * 47) % V),
  );
  writeTensor(
    device,
    inputs.sequences,
    Uint32Array.from(Array.from({ length: M }, (_, m) => (m < 9 ? [0, 9] : [9, used])).flat()),
  );
  const replay = async (count: number) => {
    rows.set(count);
    const label = (m: number) => [-5 + (m % 3), -6, m % 2 ? 1 : -0.7, m < count && m % 5 !== 3 ? 0.1 : 0];
    writeTensor(device, inputs.sites, Float32Array.from(Array.from({ length: M }, (_, m) => label(m)).flat()));
    writeTensor(device, hidden, numbersOf(M * D, 2, scale));
    new Commands(device).clear([...plan.gradients, ...(weight.grad ? [weight.grad] : [])]).submit();
    new Commands(device).run([...plan.forward, ...lossPlan.forward, ...lossPlan.backward, ...plan.backward]).submit();
    const stats = (await readTensor(device, inputs.stats)).subarray(0, count * 8);
    return {
      stats,
      hidden: await readTensor(device, hidden.grad!),
      weight: weight.grad && (await readTensor(device, weight.grad)),
    };
  };
  // Slices of the replay before leave logits behind the used rows.
  await replay(M);
  const result = await replay(used);
  expect(device.uncapturedError).toBeNull();
  for (const each of [plan, lossPlan]) each.destroy();
  weight.buffer.destroy();
  weight.grad?.buffer.destroy();
  return result;
}

async function expectAlike(each: Case): Promise<void> {
  const whole = await run(each, false);
  const sliced = await run(each, true);
  const tolerance = { absolute: 1e-5 * (each.scale ?? 1), relative: 1e-5 };
  expectClose('statistics', sliced.stats, whole.stats, tolerance);
  expectClose('gradient of hidden states', sliced.hidden, whole.hidden, tolerance);
  expect(sliced.hidden.some((number) => number !== 0)).toBe(true);
  if (whole.weight) expectClose('gradient of weights', sliced.weight!, whole.weight, tolerance);
}

const loss = {
  temperature: 0.8,
  clipLow: 0.2,
  clipHigh: 0.28,
  dualClip: 3,
  klCoefficient: 0.1,
  entropyCoefficient: 0.05,
};

const policy =
  (device: Device, kind: 'clip' | 'gspo', hasBonus = true): Loss =>
  (tape, logits, inputs, rows) => {
    const settings = policySettings(device);
    writePolicySettings(device, settings, { ...loss, ...(!hasBonus && { entropyCoefficient: 0 }) });
    policyLoss(tape, logits, inputs, settings, rows, { kind, kl: 'k3', hasBonus });
  };

onBothDevices(() => {
  describe('sliced logits agree with stored ones', () => {
    test('the clipped loss, with KL and entropy', async () =>
      expectAlike({ loss: policy(await testDevice(), 'clip') }));
    test('a frozen head of halves', async () =>
      expectAlike({ loss: policy(await testDevice(), 'clip'), frozen: 'f16' }));
    test.each(['f16', 'f32'] as const)('a frozen head of %s without a bonus', async (frozen) =>
      expectAlike({ loss: policy(await testDevice(), 'clip', false), frozen }),
    );
    test('a loss of sequences, a frozen head, no bonus', async () =>
      expectAlike({ loss: policy(await testDevice(), 'gspo', false), frozen: 'f16' }));
    test('cross-entropy of a frozen head, with logits of a hundred and more', () =>
      expectAlike({ loss: crossEntropy, frozen: 'f16', scale: 30 }));
    test('a loss of sequences', async () => expectAlike({ loss: policy(await testDevice(), 'gspo') }));
    test('cross-entropy', () => expectAlike({ loss: crossEntropy }));
    test('logits of a hundred and more', () => expectAlike({ loss: crossEntropy, scale: 30 }));
  });
});

onBothDevices(() => {
  test('a frozen head that is trained through has the statistics of one that is measured, bit for bit', async () => {
    for (const kind of ['clip', 'gspo'] as const) {
      const loss = policy(await testDevice(), kind, false);
      const trained = await run({ loss, frozen: 'f16', scale: 30 }, true);
      const measured = await run({ loss, frozen: 'f16', scale: 30, measured: true }, true);
      expect(measured.stats).toEqual(trained.stats);
      expect(measured.hidden.every((number) => number === 0)).toBe(true);
    }
  });
});

test('through a frozen head, a slice takes two products', () => {
  const device = new DryDevice();
  const products = (frozen: boolean, hasBonus: boolean) => {
    const tape = new Tape(device, true);
    const lossTape = new Tape(device, true);
    const weight = createTensor(device, 'head', [V, D], frozen ? { type: 'f16' } : { gradient: true });
    const logits = sliceLogits(tape, tape.activation('hidden', [M, D]), weight, new Rows(tape, M), sliceBytes);
    policy(device, 'clip', hasBonus)(lossTape, logits, inputsOf(lossTape), logits.rows);
    const { forward, backward } = lossTape.seal();
    const count = [...forward, ...backward].filter(({ label }) => label.startsWith('matmul')).length;
    return count / logits.slices.length;
  };
  expect([products(true, false), products(true, true), products(false, false)]).toEqual([2, 3, 4]);
});

test('a vocabulary of 152 thousand keeps a slice of the logits, whatever the batch', () => {
  expect(needsSlices(2048, 8192), 'what a config could ask for before').toBe(false);
  for (const M of [256, 2048]) {
    expect(needsSlices(M, 151_936)).toBe(true);
    const device = new DryDevice();
    const tape = new Tape(device, true);
    const hidden = tape.activation('hidden', [M, 64]);
    const head = createTensor(device, 'head', [151_936, 64], { type: 'f16' });
    const before = device.buffers.length;
    const logits = sliceLogits(tape, hidden, head, new Rows(tape, M));
    const bytes = device.buffers.slice(before).reduce((sum, buffer) => sum + buffer.bytes, 0);
    expect(bytes).toBeLessThan(maxWholeLogitBytes / 3);
    const counts = logits.slices.map(({ weight }) => weight.shape[0]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(151_936);
  }
});
