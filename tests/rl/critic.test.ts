/**
 * The critic: what it says does not depend on packing, it learns alone before the policy may, and a run with one
 * continues bit for bit.
 */
import { describe, expect, test, vi } from 'vitest';
import { sum } from '../../src/lib/mean';
import { ParameterStore } from '../../src/model/parameters';
import { transformer } from '../../src/model/transformer/network';
import { parameterSpecs } from '../../src/model/transformer/shape';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { restoreCheckpoint, saveCheckpoint } from '../../src/rl/checkpoint';
import type { RunConfig } from '../../src/config/config';
import { Learner } from '../../src/rl/learner/learner';
import { eachSite, pack } from '../../src/rl/learner/packing';
import type { Segment } from '../../src/rl/learner/segments';
import { expectClose } from '../helpers/check-op';
import { testDevice, onBothDevices } from '../helpers/devices';
import { lessonConfig, lessonTrainer } from '../helpers/lessons';
import { tinyShape } from '../helpers/tiny-model';

onBothDevices(() => {
  const networks = ['shared', 'separate'] as const;

  const ppo = (network: RunConfig['critic']['network'], more: Partial<RunConfig['critic']> = {}): RunConfig => {
    const config = withAlgorithm(lessonConfig, 'ppo');
    return { ...config, critic: { ...config.critic, network, ...more } };
  };

  test('the critic has its own constant rate and epochs; the policy’s schedule begins after its warm-up', async () => {
    const config = ppo('separate', { learningRate: 1e-3, epochs: 3, warmup: 1 });
    const optimizer = { ...config.optimizer, schedule: 'linear', warmup: 2 } as const;
    const trainer = await lessonTrainer('bandit', { ...config, iterations: 4, optimizer });
    const steps = vi.spyOn(trainer.learner, 'policyStep');
    const alone = vi.spyOn(trainer.learner, 'criticStep');
    const rates: number[] = [];
    const epochs: number[] = [];
    for (let i = 0; i < 4; i++) {
      const { learningRate, diagnostics } = (await trainer.iterate()).metrics;
      rates.push(learningRate / optimizer.learningRate);
      epochs.push(diagnostics!.epochs);
    }
    trainer.destroy();
    const { miniBatches } = config.algorithm;
    expect(config.algorithm.epochs).toBe(1);
    expect(steps.mock.calls).toHaveLength(3 * miniBatches);
    expect(alone.mock.calls, 'three epochs alone, then two beside each of the policy’s').toHaveLength(9 * miniBatches);
    const critics = [...steps.mock.calls.map(([, , , critic]) => critic!), ...alone.mock.calls.map(([, each]) => each)];
    expect(new Set(critics.map((critic) => critic.optimizer.rate))).toEqual(new Set([1e-3]));
    expect(
      rates.map((rate) => Number(rate.toFixed(6))),
      'a rise over two iterations, then a tenth',
    ).toEqual([0, 0.5, 1, 0.1]);
    expect(epochs).toEqual([0, 1, 1, 1]);
  });

  test('a critic may learn at tool results, in the epochs that it learns alone', async () => {
    const targets = async (onResults: boolean, changes: Partial<RunConfig['algorithm']> = {}) => {
      const config = ppo('separate', { epochs: 2, warmup: 0, onResults });
      const algorithm = { ...config.algorithm, advantageMask: false, ...changes };
      const trainer = await lessonTrainer('threeSteps', { ...config, algorithm });
      const [beside, alone] = (['policyStep', 'criticStep'] as const).map((name) => vi.spyOn(trainer.learner, name));
      await trainer.iterate();
      trainer.destroy();
      const sites = ({ mock }: typeof beside) => sum(mock.calls.map(([batch]) => batch.sites));
      return { beside: sites(beside), alone: sites(alone) };
    };
    const own = await targets(false);
    expect(own.alone, 'as a rule it learns where the policy does').toBe(own.beside);
    const both = await targets(true);
    expect(both.beside, 'beside the policy it still does').toBe(own.beside);
    expect(both.alone).toBe((await targets(false, { lossMask: false })).alone);
    expect(both.alone).toBeGreaterThan(own.alone);
    expect(await targets(true, { advantageMask: true }), 'nothing reads its values there').toEqual(own);
  });

  test('means over updates count those of the policy and of the critic apart', async () => {
    const loss = async (epochs: number) => {
      const trainer = await lessonTrainer('bandit', ppo('separate', { epochs, warmup: 0 }));
      const { policyLoss } = (await trainer.iterate()).metrics;
      trainer.destroy();
      return policyLoss;
    };
    expect(await loss(5)).toBe(await loss(1));
  });

  /** Segments whose critic learns at every second token that is in the loss. */
  const segments = Array.from({ length: 7 }, (_, trajectory): Segment => {
    const n = 5 + ((trajectory * 7) % 23);
    const tokens = Uint32Array.from({ length: n }, (_, i) => 1 + ((i * i * 3 + trajectory * 11 + i) % 28));
    const inLoss = Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0));
    return {
      trajectory,
      tokens,
      inLoss,
      sampled: inLoss,
      oldLogProb: new Float64Array(n).fill(-3),
      advantage: new Float64Array(n).fill(trajectory % 2 === 0 ? 1 : -0.5),
      critic: {
        value: new Float64Array(n),
        target: Float64Array.from(tokens, (token) => (token % 5) / 5),
        trained: Uint8Array.from(tokens, (_, i) => i % 2),
      },
      step: new Uint32Array(n),
      index: new Uint32Array(n),
    };
  });

  async function learn(network: RunConfig['critic']['network'], capacity: number) {
    const device = await testDevice();
    const store = new ParameterStore(device, parameterSpecs(tinyShape));
    store.initialise(3);
    const learner = new Learner(device, store, transformer(tinyShape), { capacity, critic: { network, clip: 0.5 } });
    await device.compiled();
    await learner.setReference();
    const batch = pack(segments, { capacity, aggregation: 'token-mean', lengthNorm: 32 });
    const optimizer = { rate: 1, beta1: 0, beta2: 0, epsilon: 100, weightDecay: 0, clip: 1e9 };
    const critic = { coefficient: 0.5, optimizer: { ...optimizer, rate: 50 } };
    const loss = { temperature: 1, clipLow: 0.2, clipHigh: 0.28, dualClip: 3, klCoefficient: 0, entropyCoefficient: 0 };
    learner.policyStep(batch, loss, optimizer, critic);
    const first = await learner.report();
    const values: number[][] = segments.map(({ tokens }) => new Array<number>(tokens.length).fill(0));
    eachSite(batch, await learner.values(batch), (segment, token, value) => (values[segment][token] = value));
    learner.criticStep(batch, critic);
    const second = await learner.report();
    const trunk = await store.read(store.value);
    learner.destroy();
    store.destroy();
    expect(device.uncapturedError).toBeNull();
    return { values: values.flat(), losses: [first.critic!.loss, second.critic!.loss], trunk };
  }

  describe.each(networks)('a %s critic', (network) => {
    test('says and learns the same however segments are packed, and its loss falls', async () => {
      const alone = await learn(network, 224);
      const targets = segments.flatMap(({ critic }) =>
        Array.from(critic!.target).filter((_, i) => critic!.trained[i] === 1),
      );
      const untaught = targets.reduce((sum, target) => sum + (0.5 * target * target) / targets.length, 0);
      expect(alone.losses[0], 'before it learns, all values are 0').toBeCloseTo(untaught, 5);
      expect(alone.losses[1]).toBeLessThan(alone.losses[0]);
      for (const capacity of [64, 32]) {
        const other = await learn(network, capacity);
        expectClose('values', other.values, alone.values, { absolute: 2e-6, relative: 1e-5 });
        for (const [name, weights] of alone.trunk)
          expectClose(name, other.trunk.get(name)!, weights, { absolute: 2e-6, relative: 1e-5 });
      }
    });

    test('reports means over its updates, whether it learned alone or beside the policy', async () => {
      const device = await testDevice();
      const store = new ParameterStore(device, parameterSpecs(tinyShape));
      store.initialise(3);
      const learner = new Learner(device, store, transformer(tinyShape), {
        capacity: 32,
        critic: { network, clip: 0.1 },
      });
      await device.compiled();
      await learner.setReference();
      // A value of 0 is farther from the old one than may count, on the side away from the return: all are clipped.
      const old = segments.map((segment) => {
        const { target, value } = segment.critic!;
        return { ...segment, critic: { ...segment.critic!, target: target.map(() => -1), value: value.map(() => 1) } };
      });
      const batch = pack(old, { capacity: 32, aggregation: 'token-mean', lengthNorm: 32 });
      expect(batch.microBatches.length).toBeGreaterThan(1);
      const still = { rate: 0, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };
      const critic = { coefficient: 0.5, optimizer: still };
      const loss = {
        temperature: 1,
        clipLow: 0.2,
        clipHigh: 0.28,
        dualClip: 3,
        klCoefficient: 0,
        entropyCoefficient: 0,
      };
      const updates = [() => learner.criticStep(batch, critic), () => learner.policyStep(batch, loss, still, critic)];
      for (const update of updates) {
        for (let i = 0; i < 3; i++) update();
        const report = (await learner.report()).critic!;
        expect(report.loss).toBeCloseTo(0.5 * 1.9 ** 2, 5);
        expect(report.clipFraction).toBeCloseTo(1, 5);
      }
      learner.destroy();
      store.destroy();
    });

    test('learns alone at first: the policy stays as it is, to the bit', async () => {
      const trainer = await lessonTrainer('threeSteps', ppo(network, { learningRate: 1e-5, warmup: 2 }));
      const before = await trainer.store.read(trainer.store.value);
      for (let i = 0; i < 2; i++) {
        const { diagnostics } = (await trainer.iterate()).metrics;
        expect(diagnostics!.critic!.gradientNorm).toBeGreaterThan(0);
      }
      expect(await trainer.store.read(trainer.store.value)).toEqual(before);
      await trainer.iterate();
      expect(await trainer.store.read(trainer.store.value)).not.toEqual(before);
      trainer.destroy();
    });

    test('learns returns that depend on what was written long before, through the trunk', async () => {
      const device = await testDevice();
      const store = new ParameterStore(device, parameterSpecs(tinyShape));
      store.initialise(3);
      const learner = new Learner(device, store, transformer(tinyShape), {
        capacity: 224,
        critic: { network, clip: 10 },
      });
      await device.compiled();
      await learner.setReference();
      const indifferent = segments.map((segment) => ({
        ...segment,
        advantage: new Float64Array(segment.tokens.length),
        critic: { ...segment.critic!, target: new Float64Array(segment.tokens.length).fill(segment.tokens[1] % 2) },
      }));
      const batch = pack(indifferent, { capacity: 224, aggregation: 'token-mean', lengthNorm: 32 });
      const optimizer = { rate: 3e-3, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, clip: 1 };
      const loss = {
        temperature: 1,
        clipLow: 0.2,
        clipHigh: 0.28,
        dualClip: 3,
        klCoefficient: 0,
        entropyCoefficient: 0,
      };
      const losses: number[] = [];
      for (let step = 0; step < 60; step++) {
        learner.policyStep(batch, loss, optimizer, { coefficient: 1, optimizer });
        losses.push((await learner.report()).critic!.loss);
      }
      expect(losses.at(-1)! / losses[0], losses.map((value) => value.toFixed(3)).join(' ')).toBeLessThan(0.1);
      learner.destroy();
      store.destroy();
    });

    test('continues bit for bit from a checkpoint', async () => {
      const device = await testDevice();
      const config = { ...ppo(network), iterations: 3 };
      const whole = await lessonTrainer('bandit', config);
      await whole.iterate();
      const file = await saveCheckpoint(device, whole, 'source');
      const rest = [(await whole.iterate()).metrics, (await whole.iterate()).metrics];
      const end = await saveCheckpoint(device, whole, 'source');
      whole.destroy();
      const second = await lessonTrainer('bandit', config);
      restoreCheckpoint(second, file);
      const again = [(await second.iterate()).metrics, (await second.iterate()).metrics];
      expect(again.map(({ diagnostics }) => diagnostics)).toEqual(rest.map(({ diagnostics }) => diagnostics));
      expect(Buffer.compare(await saveCheckpoint(device, second, 'source'), end), 'the same bytes').toBe(0);
      second.destroy();
    });
  });
});
