/** A model some of whose parameters are frozen: these cost neither gradient nor moments, and training leaves them. */
import { expect, test } from 'vitest';
import { textSegment } from '../../src/cli/bench/suite';
import { readTensor } from '../../src/device/commands';
import { DryDevice } from '../../src/device/dry-device';
import type { Network } from '../../src/model/model';
import { ParameterStore, parameterCount } from '../../src/model/parameters';
import { transformer } from '../../src/model/transformer/network';
import { Learner } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import { onBothDevices, testDevice } from '../helpers/devices';
import { tinyShape } from '../helpers/tiny-model';

const whole = transformer(tinyShape);
const isFrozen = (name: string) => name === 'tok_emb' || name.startsWith('blocks.0.');
const partly: Network = {
  ...whole,
  specs: whole.specs.map((spec) => (isFrozen(spec.name) ? { ...spec, frozen: true } : spec)),
};
const frozenSpecs = whole.specs.filter(({ name }) => isFrozen(name));

test('a frozen parameter takes its values’ memory, a trained one that of gradient and moments too', () => {
  const bytesOf = (network: Network) => {
    const device = new DryDevice();
    new ParameterStore(device, network.specs);
    return device.buffers.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  // Views of trained parameters are aligned to 256 bytes, buffers to 16.
  const sumOf = (bytes: number) =>
    frozenSpecs.reduce((sum, spec) => sum + Math.ceil((parameterCount([spec]) * 4) / bytes) * bytes, 0);
  expect(bytesOf(whole) - bytesOf(partly)).toBe(4 * sumOf(256) - sumOf(16));
});

test('only trained parameters have a gradient', () => {
  const store = new ParameterStore(new DryDevice(), partly.specs);
  for (const { name } of whole.specs) expect(store.get(name).grad === null, name).toBe(isFrozen(name));
});

onBothDevices(() => {
  const batchShape = { capacity: 96, aggregation: 'token-mean', lengthNorm: 32 } as const;
  const batch = pack([textSegment(tinyShape.vocabulary, 24, 1), textSegment(tinyShape.vocabulary, 17, 2)], batchShape);
  // Without clipping, what one parameter learns does not depend on the gradients of others.
  const optimizer = { rate: 0.01, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clip: 1e9 };

  async function trained(network: Network) {
    const device = await testDevice();
    const store = new ParameterStore(device, network.specs);
    store.initialise(5);
    const critic = { network: 'separate', clip: 0.2 } as const;
    const learner = new Learner(device, store, network, { capacity: 96, critic });
    await device.compiled();
    await learner.setReference();
    const read = async () => {
      const values = whole.specs.map(async ({ name }) => [name, await readTensor(device, store.get(name))] as const);
      return new Map(await Promise.all(values));
    };
    const before = { weights: await read(), scores: await learner.score(batch, 1, 'current') };
    for (let step = 0; step < 3; step++) learner.imitationStep(batch, optimizer);
    const after = { weights: await read(), scores: await learner.score(batch, 1, 'reference') };
    return { store, learner, before, after };
  }

  test('training leaves frozen parameters and moves the others; the reference stays as it began', async () => {
    const { store, learner, before, after } = await trained(partly);
    for (const { name } of whole.specs) {
      const [was, is] = [before.weights.get(name), after.weights.get(name)];
      if (isFrozen(name)) expect(is, name).toEqual(was);
      else expect(is, name).not.toEqual(was);
    }
    expect(after.scores).toEqual(before.scores);
    expect(await learner.score(batch, 1, 'current')).not.toEqual(before.scores);
    learner.destroy();
    store.destroy();
  });

  test('one step moves a trained parameter as if nothing were frozen', async () => {
    const step = async (network: Network) => {
      const device = await testDevice();
      const store = new ParameterStore(device, network.specs);
      store.initialise(5);
      const learner = new Learner(device, store, network, { capacity: 96 });
      await device.compiled();
      learner.imitationStep(batch, optimizer);
      const weights = await store.read(store.value);
      learner.destroy();
      store.destroy();
      return weights;
    };
    const [some, all] = [await step(partly), await step(whole)];
    expect([...some.keys()]).toEqual(whole.specs.map(({ name }) => name).filter((name) => !isFrozen(name)));
    for (const [name, weights] of some) expect(weights, name).toEqual(all.get(name));
  });

  test('a critic with a network of its own reads the policy’s frozen parameters', async () => {
    const { store, learner } = await trained(partly);
    const critic = learner.critic!.store;
    for (const { name } of whole.specs)
      expect(critic.get(name).buffer === store.get(name).buffer, name).toBe(isFrozen(name));
    learner.destroy();
    store.destroy();
  });
});
