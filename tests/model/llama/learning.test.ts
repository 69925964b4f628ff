/** A pretrained model in the sampler and the learner: what it draws is what is trained, and only adapters move. */
import { describe, expect, test } from 'vitest';
import { textSegment } from '../../../src/cli/bench/suite';
import { readTensor } from '../../../src/device/commands';
import { Sampler } from '../../../src/model/sampler';
import { Learner } from '../../../src/rl/learner/learner';
import { pack } from '../../../src/rl/learner/packing';
import { testDevice } from '../../helpers/devices';
import { loadedModel } from '../../helpers/llama';
import { pretrainedVectors } from '../../helpers/pretrained';

const lora = { rank: 4, alpha: 8, targets: ['q_proj', 'v_proj', 'down_proj'] } as const;
const optimizer = { rate: 0.02, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 };

describe.each(pretrainedVectors())('$name', (vectors) => {
  test('drawn tokens have the learner’s log-probs, bit for bit', async () => {
    const device = await testDevice();
    const { network, store, shape } = await loadedModel(device, vectors, lora);
    store.initialise(3);
    const sampler = new Sampler(device, store, network, { slots: 1, contextLength: 24 });
    const learner = new Learner(device, store, network, { capacity: 64 });
    await device.compiled();
    const prompt = [1, 2, 3, 4];
    const sampling = { temperature: 1, topK: 0, topP: 1, maxTokens: 12, stopTokens: [], seed: 5, iteration: 1 };
    const [drawn] = await sampler.sample([{ slot: 0, tokens: prompt }], sampling);
    const segment = textSegment(shape.vocabulary, prompt.length + drawn.tokens.length, 1);
    segment.tokens.set([...prompt, ...drawn.tokens]);
    const batch = pack([segment], { capacity: 64, aggregation: 'token-mean', lengthNorm: 16 });
    const [{ logProbs }] = await learner.score(batch, 1, 'current');
    expect([...logProbs.slice(-drawn.tokens.length)]).toEqual([...drawn.logProbs]);
    for (const part of [sampler, learner, store]) part.destroy();
  });

  test('steps move the adapter alone; the reference stays the base, and a critic shares it', async () => {
    const device = await testDevice();
    const { network, store, shape } = await loadedModel(device, vectors, lora);
    store.initialise(3);
    const critic = { network: 'separate', clip: 0.2 } as const;
    const learner = new Learner(device, store, network, { capacity: 64, critic });
    await device.compiled();
    await learner.setReference();
    const batch = pack([textSegment(shape.vocabulary, 40, 2)], {
      capacity: 64,
      aggregation: 'token-mean',
      lengthNorm: 16,
    });
    const before = await learner.score(batch, 1, 'reference');
    // A new adapter changes nothing.
    expect(await learner.score(batch, 1, 'current')).toEqual(before);
    const base = network.specs.filter(({ frozen }) => frozen);
    const read = () => Promise.all(base.map(({ name }) => readTensor(device, store.get(name))));
    const weights = await read();
    for (let step = 0; step < 8; step++) learner.imitationStep(batch, optimizer);
    expect(await read()).toEqual(weights);
    expect(await learner.score(batch, 1, 'reference')).toEqual(before);
    const sum = (scores: typeof before) => scores[0].logProbs.reduce((total, logProb) => total + logProb, 0);
    expect(sum(await learner.score(batch, 1, 'current'))).toBeGreaterThan(sum(before) + 1);
    for (const { name } of base)
      expect(learner.critic!.store.get(name).buffer === store.get(name).buffer, name).toBe(true);
    for (const part of [learner, store]) part.destroy();
  });
});
