/** A model that sees images: the sampler and the trainer agree, and no image stands for another one. */
import { beforeAll, expect, test } from 'vitest';
import type { Action, Prompt, Sampling } from '../../src/agent/types';
import type { Device } from '../../src/device/device';
import { ParameterStore } from '../../src/model/parameters';
import { Sampler } from '../../src/model/sampler';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { Learner } from '../../src/rl/learner/learner';
import { pack } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import type { Image } from '../../src/text/image';
import { onBothDevices, testDevice } from '../helpers/devices';
import { imageToken, picture, seeingShape } from '../helpers/images';
import { tinyShape } from '../helpers/tiny-model';

onBothDevices(() => {
  const base: Sampling = { temperature: 1, topK: 0, topP: 1, maxTokens: 12, stopTokens: [], seed: 5, iteration: 1 };
  let device: Device;
  let store: ParameterStore;
  let sampler: Sampler;

  beforeAll(async () => {
    device = await testDevice();
    store = new ParameterStore(device, parameterSpecs(seeingShape));
    store.initialise(5);
    sampler = new Sampler(device, store, transformer(seeingShape), { slots: 8, contextLength: 64 });
    await device.compiled();
  });

  /** A prompt with an image of two patches, and more tokens behind it. */
  const prompt = (slot: number, image: Image, tail: readonly number[] = [4]): Prompt => ({
    slot,
    tokens: [2, 7, imageToken, imageToken, 5, 3, ...tail],
    images: [{ at: 2, image }],
  });
  const sample = (prompts: readonly Prompt[]) => sampler.sample(prompts, base);
  const fresh = async (one: Prompt) => {
    sampler.clearCache();
    return (await sample([one]))[0];
  };

  test('two images under equal tokens share no cache, in one batch', async () => {
    const [a, b, again] = [prompt(0, picture(1)), prompt(1, picture(2)), prompt(2, picture(1))];
    sampler.clearCache();
    const before = sampler.counts.prefilled;
    const together = await sample([a, b, again]);
    expect(sampler.counts.prefilled - before, 'two prompts are prefilled, the third is a copy').toBe(12);
    expect(together).toEqual([await fresh(a), await fresh(b), await fresh(again)]);
    expect(together[0].logProbs[0]).not.toBe(together[1].logProbs[0]);
  });

  test('a conversation that goes on with its image uses the cache; with another image it does not', async () => {
    const [first] = await sample([prompt(0, picture(1))]);
    const longer = [4, ...first.tokens, 6, 4];
    for (const [image, computed] of [
      [picture(1), 2],
      [picture(2), 6 + longer.length - 1 - 2],
    ] as const) {
      await fresh(prompt(0, picture(1)));
      const before = sampler.counts.prefilled;
      const [cached] = await sample([prompt(0, image, longer)]);
      expect(sampler.counts.prefilled - before).toBe(computed);
      expect(cached).toEqual(await fresh(prompt(0, image, longer)));
    }
  });

  test('an image that comes later', async () => {
    const [first] = await sample([prompt(0, picture(1))]);
    const { tokens, images } = prompt(0, picture(1), [4, ...first.tokens, imageToken, imageToken, 4]);
    const later = (key: number): Prompt => {
      const at = tokens.length - 3;
      return { slot: 0, tokens, images: [...images!, { at, image: picture(key) }] };
    };
    const [cached] = await sample([later(3)]);
    const whole = await fresh(later(3));
    expect(cached).toEqual(whole);
    expect((await fresh(later(4))).logProbs[0]).not.toBe(whole.logProbs[0]);
  });

  test('log-probs are the trainer’s to the bit, in families that share an image and those that do not', async () => {
    const prompts = [1, 1, 2, 2, 3].map((key, slot) => prompt(slot, picture(key)));
    sampler.clearCache();
    const actions = await sample(prompts);
    const learner = new Learner(device, store, transformer(seeingShape), { capacity: 96 });
    await device.compiled();
    const segments = actions.map((action, i) => segmentOf(prompts[i], action, i));
    const batch = pack(segments, { capacity: 96, aggregation: 'token-mean', lengthNorm: 64 });
    const scores = await learner.score(batch, 1, 'current');
    const differences = batch.microBatches.flatMap((micro, m) =>
      Array.from(micro.site, (at, n) => {
        const index = segments[micro.segment[n]].index[micro.positions[at] + 1];
        return scores[m].logProbs[n] - actions[micro.segment[n]].logProbs[index];
      }),
    );
    expect(differences).toHaveLength(5 * base.maxTokens);
    expect(differences).toEqual(differences.map(() => 0));
    learner.destroy();
  });

  test('training moves the patch weights, and where there is no image not at all', async () => {
    const weights = new ParameterStore(device, parameterSpecs(seeingShape));
    weights.initialise(5);
    const learner = new Learner(device, weights, transformer(seeingShape), { capacity: 96 });
    await device.compiled();
    const action = { tokens: [8, 9, 10], logProbs: [0, 0, 0], entropies: [0, 0, 0], text: '', stop: 'stop' } as const;
    const optimizer = { rate: 1e-2, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };
    const read = async () => {
      const values = await weights.read(weights.value);
      return [...values.get('patch.weight')!, ...values.get('patch.bias')!];
    };
    const step = async (given: Prompt) => {
      const segment = { ...segmentOf(given, action, 0), advantage: new Float64Array(given.tokens.length + 3).fill(1) };
      learner.imitationStep(pack([segment], { capacity: 96, aggregation: 'token-mean', lengthNorm: 64 }), optimizer);
      return read();
    };
    const before = await read();
    expect(await step({ slot: 0, tokens: [2, 7, 5, 3, 4] })).toEqual(before);
    const after = await step(prompt(0, picture(1)));
    expect(after.every((value, i) => Number.isFinite(value) && value !== before[i])).toBe(true);
    for (const each of [learner, weights]) each.destroy();
  });

  test('a model without images has no parameter and no dispatch for them', () => {
    const names = (shape: typeof tinyShape) => parameterSpecs(shape).map(({ name }) => name);
    expect(names(seeingShape).filter((name) => !names(tinyShape).includes(name))).toEqual([
      'patch.weight',
      'patch.bias',
    ]);
    const labels: string[] = [];
    const bind = device.bind.bind(device);
    device.bind = (shader, ...rest) => {
      labels.push(shader);
      return bind(shader, ...rest);
    };
    const plain = new ParameterStore(device, parameterSpecs(tinyShape));
    const parts = [
      plain,
      new Sampler(device, plain, transformer(tinyShape), { slots: 2, contextLength: 64 }),
      new Learner(device, plain, transformer(tinyShape), { capacity: 96 }),
    ];
    device.bind = bind;
    expect(labels).toContain('embedding');
    expect(labels).not.toContain('patch-embedding');
    for (const part of parts) part.destroy();
  });
});

function segmentOf({ tokens: given, images }: Prompt, action: Action, trajectory: number): Segment {
  const tokens = Uint32Array.from([...given, ...action.tokens]);
  const inLoss = Uint8Array.from(tokens, (_, i) => Number(i >= given.length));
  const zeros = () => new Float64Array(tokens.length);
  const index = Uint32Array.from(tokens, (_, i) => (i < given.length ? i : i - given.length));
  const fixed = { trajectory, tokens, inLoss, sampled: inLoss, step: new Uint32Array(tokens.length), index };
  return { ...fixed, ...(images && { images }), oldLogProb: zeros(), advantage: zeros() };
}
