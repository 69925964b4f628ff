/** The reference vectors of kind `ops` that tests/ops/vectors.test.ts leaves: log-probs, cross-entropy and AdamW. */
import { describe, expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { AdamW } from '../../src/model/adamw';
import { ParameterStore } from '../../src/model/parameters';
import { crossEntropy } from '../../src/ops/cross-entropy';
import { policyLoss, policySettings, writePolicySettings } from '../../src/ops/policy-loss';
import { Rows } from '../../src/ops/rows';
import { expectClose } from '../helpers/check-op';
import { onBothDevices, testDevice } from '../helpers/devices';
import { runLoss } from '../helpers/loss-harness';
import { expectNear, vectorsOf, type VectorCase } from '../helpers/vectors';

const tolerance = { absolute: 2e-5, relative: 1e-4 };

/** Rows of the last dimension. */
function rowsOf({ shape, data }: { shape: number[]; data: number[] }): number[][] {
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, n) => data.slice(n * width, (n + 1) * width));
}

const checks: Record<string, (vector: VectorCase) => Promise<void>> = {
  // With the old log-prob equal to the new one the ratio is 1, so weight −u makes the loss's slope the upstream u.
  token_log_prob: async ({ inputs, params, upstream, expected }) => {
    const logits = rowsOf(inputs.logits);
    const device = await testDevice();
    const settings = policySettings(device);
    writePolicySettings(device, settings, {
      temperature: params.temperature,
      clipLow: 0.2,
      clipHigh: 0.2,
      dualClip: 3,
      klCoefficient: 0,
      entropyCoefficient: 0,
    });
    const { stats, gradient } = await runLoss(
      logits,
      inputs.tokens.data,
      logits.map((_, n) => [expected.output.data[n], 0, 1, -upstream.data[n]]),
      (tape, tensor, labels) => policyLoss(tape, tensor, labels, settings, new Rows(tape, logits.length)),
    );
    expectNear(
      logits.map((_, n) => stats[n * 8]),
      expected.output.data,
      2e-5,
      'log-prob',
    );
    expectClose('gradient of the logits', gradient, expected.grad_logits.data, tolerance);
  },

  masked_cross_entropy: async ({ inputs, upstream, expected }) => {
    const logits = rowsOf(inputs.logits);
    const mask: number[] = inputs.mask.data;
    const count = mask.reduce((sum, m) => sum + m, 0);
    const { stats, gradient } = await runLoss(
      logits,
      inputs.tokens.data,
      mask.map((m) => [0, 0, 0, (m * upstream.data[0]) / count]),
      (tape, tensor, labels) => crossEntropy(tape, tensor, labels, new Rows(tape, logits.length)),
    );
    expectNear(
      mask.reduce((sum, m, n) => sum + (m * stats[n * 8 + 2]) / count, 0),
      expected.output.data[0],
      2e-5,
      'loss',
    );
    expectClose('gradient of the logits', gradient, expected.grad_logits.data, tolerance);
  },

  adamw: checkAdamW,
};

async function checkAdamW({ inputs, params, expected }: VectorCase): Promise<void> {
  expect(params.weight_decay_vector, 'vectors never decay').toBe(0);
  const device = await testDevice();
  const names = ['matrix', 'vector'] as const;
  const store = new ParameterStore(
    device,
    names.map((name) => ({ name, part: 'mlp', shape: inputs[name].shape, init: { constant: 0 } })),
  );
  const numbers = (from: Record<string, { data: number[] }>) =>
    new Map(names.map((name) => [name, Float32Array.from(from[name].data)]));
  store.write(store.value, numbers(inputs));
  const optimizer = new AdamW(device, store);
  await device.compiled();
  optimizer.configure({
    rate: params.lr,
    beta1: params.beta1,
    beta2: params.beta2,
    epsilon: params.eps,
    weightDecay: params.weight_decay_matrix,
    clip: params.max_grad_norm,
  });
  for (const [k, gradients] of inputs.grads.entries()) {
    store.write(store.gradient, numbers(gradients));
    new Commands(device).run(optimizer.dispatches).submit();
    const after = expected.after[k];
    const state = await readTensor(device, optimizer.state);
    expectNear(state[2], after.grad_norm, 1e-5, `gradient norm before step ${k + 1}`);
    const got = await store.read(store.value);
    for (const name of names) expectClose(`${name} after step ${k + 1}`, got.get(name)!, after[name].data, tolerance);
  }
  store.destroy();
}

onBothDevices(() => {
  for (const { path, cases } of vectorsOf('ops')) {
    describe(path, () => {
      cases.forEach((vector, i) => {
        const check = checks[vector.op ?? ''];
        if (check) test(`case ${i}: ${vector.op}`, () => check(vector));
      });
    });
  }

  test('an infinite or missing number in the gradient skips the step, counts it, and changes nothing', async () => {
    const device = await testDevice();
    const store = new ParameterStore(device, [{ name: 'w', part: 'mlp', shape: [8, 8], init: { std: 1 } }]);
    store.initialise(1);
    const optimizer = new AdamW(device, store);
    await device.compiled();
    optimizer.configure({ rate: 0.1, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0.1, clip: 1 });
    const before = await store.read(store.value);
    for (const broken of [NaN, Infinity, -Infinity]) {
      store.write(
        store.gradient,
        new Map([['w', Float32Array.from({ length: 64 }, (_, i) => (i === 17 ? broken : 1))]]),
      );
      new Commands(device).run(optimizer.dispatches).submit();
    }
    const state = await readTensor(device, optimizer.state);
    expect([state[4], state[5]], 'applied and skipped updates').toEqual([0, 3]);
    expect(await store.read(store.value)).toEqual(before);
    expect(
      (await store.read(store.gradient)).get('w')!.every((g) => g === 0),
      'the gradient is cleared',
    ).toBe(true);
    store.write(store.gradient, new Map([['w', new Float32Array(64).fill(1)]]));
    new Commands(device).run(optimizer.dispatches).submit();
    expect((await store.read(store.value)).get('w')!.every(Number.isFinite), 'training goes on').toBe(true);
    store.destroy();
  });
});
