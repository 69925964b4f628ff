/**
 * What one iteration does beside learning: refills, greedy rollouts, stopping on KL, an adapted coefficient, and its
 * diagnostics.
 */
import { expect, test, vi } from 'vitest';
import { readTensors } from '../../src/device/commands';
import { withAlgorithm } from '../../src/config/with-algorithm';
import type { RunConfig } from '../../src/config/config';
import { echoTrap, noEcho, type EchoMemory } from '../../src/rl/diagnostics/echo-trap';
import { healthChecks, isHealthy } from '../../src/share/health';
import { testDevice } from '../helpers/devices';
import { beginner, lessonConfig, lessonTrainer } from '../helpers/lessons';
import { expectMasksToMatter } from '../helpers/masks';

const withSettings = (config: RunConfig, more: Partial<RunConfig['algorithm']>): RunConfig => ({
  ...config,
  algorithm: { ...config.algorithm, ...more },
});

test.each(['grpo', 'ppo'] as const)('%s: either mask may be off', expectMasksToMatter);

test('refills bring further tasks in place of groups without signal, the same ones every time', async () => {
  const run = async () => {
    const trainer = await lessonTrainer('threeSteps', withAlgorithm(lessonConfig, 'dapo'));
    const { metrics, trajectories, rollouts } = await trainer.iterate();
    trainer.destroy();
    return { metrics, ids: trajectories.map(({ task }) => task.id), rollouts };
  };
  const { metrics, ids, rollouts } = await run();
  expect(ids.length).toBeGreaterThan(64);
  expect(new Set(ids).size, 'every group is another task').toBe(ids.length / 8);
  expect(metrics.diagnostics!.learnedFrom).toBeLessThan(1);
  const credited = rollouts.filter((rollout) =>
    rollout.steps.some((step) => step.advantages.some((value) => value !== 0)),
  );
  expect(credited.length).toBe(Math.round(metrics.diagnostics!.learnedFrom * ids.length));
  expect((await run()).ids).toEqual(ids);
});

test('an epoch that moved the policy far enough is the last', async () => {
  const epochs = async (klStop: number) => {
    const trainer = await lessonTrainer('bandit', withSettings(lessonConfig, { epochs: 6, klStop }));
    const { metrics } = await trainer.iterate();
    trainer.destroy();
    return metrics.diagnostics!;
  };
  const free = await epochs(0);
  expect(free.epochs).toBe(6);
  expect(free.shift).toBeGreaterThan(0);
  expect((await epochs(1e-4)).epochs).toBeLessThan(6);
});

test('fresh moments forget the warm start, and nothing else', async () => {
  const run = async (fresh: boolean) => {
    const config = {
      ...lessonConfig,
      warmStart: { ...lessonConfig.warmStart, steps: 20 },
      optimizer: { ...lessonConfig.optimizer, fresh },
    };
    const trainer = await beginner('bandit', config);
    await trainer.warmStart();
    const [moments] = await readTensors(await testDevice(), [trainer.store.second]);
    const weights = await trainer.store.read(trainer.store.value);
    await trainer.iterate();
    trainer.destroy();
    return { left: moments.some((value) => value !== 0), weights };
  };
  const [kept, forgot] = [await run(false), await run(true)];
  expect([kept.left, forgot.left]).toEqual([true, false]);
  expect(forgot.weights).toEqual(kept.weights);
});

test('clipped tokens are told apart by the sign of their advantage', async () => {
  const trainer = await lessonTrainer(
    'bandit',
    withSettings(lessonConfig, { epochs: 6, clipLow: 0.01, clipHigh: 0.01 }),
  );
  const { clipFraction, diagnostics } = (await trainer.iterate()).metrics;
  trainer.destroy();
  const { clippedAbove, clippedBelow } = diagnostics!;
  expect(Math.min(clippedAbove!, clippedBelow!)).toBeGreaterThan(0);
  expect(clippedAbove! + clippedBelow!).toBeCloseTo(clipFraction!, 6);
});

test('the coefficient of KL is adapted towards its target, in the reward as in the loss', async () => {
  for (const klPlace of ['reward', 'loss'] as const) {
    const settings = { klPlace, klCoefficient: 0.1, klTarget: 1e-6, klHorizon: 64 };
    const trainer = await lessonTrainer('bandit', withSettings(withAlgorithm(lessonConfig, 'grpo'), settings));
    const coefficients: number[] = [];
    for (let i = 0; i < 3; i++) coefficients.push((await trainer.iterate()).metrics.diagnostics!.klCoefficient);
    trainer.destroy();
    expect(coefficients[0]).toBe(0.1);
    expect(coefficients[1], 'the weights have not left the start: KL is below its target').toBeCloseTo(0.08, 6);
    expect(coefficients[2], 'then it is far above').toBeCloseTo(0.096, 6);
  }
});

test('the coefficient follows the KL that is configured: k3 is below a target that |d| is above', async () => {
  const after = async (klEstimator: 'abs' | 'k3') => {
    const settings = { klEstimator, klCoefficient: 0.1, klTarget: 0.02, klHorizon: 64 };
    const trainer = await lessonTrainer('bandit', withSettings(withAlgorithm(lessonConfig, 'grpo'), settings));
    for (let i = 0; i < 2; i++) await trainer.iterate();
    const { klCoefficient } = trainer.progress;
    trainer.destroy();
    return klCoefficient;
  };
  expect(await after('k3')).toBeCloseTo(0.064, 6);
  expect(await after('abs')).toBeCloseTo(0.096, 6);
});

test.each([
  [0, [true, false, true, false]],
  [0.1, [true, true, true, true]],
])('with a KL coefficient of %s, the reference scores iterations 1 to 4: %j', async (klCoefficient, expected) => {
  const config = withSettings(withAlgorithm(lessonConfig, 'grpo'), { klCoefficient });
  const trainer = await lessonTrainer('bandit', { ...config, evaluation: { tasks: 8, every: 3 } });
  const score = vi.spyOn(trainer.learner, 'score');
  const scored: boolean[] = [];
  for (let i = 0; i < expected.length; i++) {
    const { kl } = (await trainer.iterate()).metrics;
    scored.push(score.mock.calls.some(([, , weights]) => weights === 'reference'));
    expect(kl !== null).toBe(scored[i]);
    score.mockClear();
  }
  trainer.destroy();
  expect(scored).toEqual(expected);
});

test('an iteration that learns from nothing reports null, and keeps the coefficient of KL', async () => {
  const config = withSettings(lessonConfig, { klCoefficient: 0.1, klTarget: 0.01 });
  const trainer = await lessonTrainer('bandit', config);
  const learned = (await trainer.iterate()).metrics;
  const { klCoefficient } = trainer.progress;
  Object.assign(trainer.setup.config, { filter: { strategy: 'top-k', value: 0, refill: 0 } });
  const { metrics } = await trainer.iterate();
  expect(trainer.progress.klCoefficient).toBe(klCoefficient);
  trainer.destroy();
  const measured = ({ kl, policyLoss, clipFraction, gradientNorm, diagnostics }: typeof metrics) => {
    const { clippedAbove, clippedBelow, dualClipped, shift, partNorms } = diagnostics!;
    return { kl, policyLoss, clipFraction, gradientNorm, clippedAbove, clippedBelow, dualClipped, shift, partNorms };
  };
  expect(Object.values(measured(learned))).not.toContain(null);
  expect(Object.values(measured(metrics))).toEqual(Array(9).fill(null));
  expect([metrics.trainedTokens, metrics.diagnostics!.learnedFrom]).toEqual([0, 0]);
});

test('diagnostics are numbers, and every check reads one', async () => {
  const config = withAlgorithm(lessonConfig, 'ppo');
  const trainer = await lessonTrainer('threeSteps', { ...config, critic: { ...config.critic, warmup: 0 } });
  const { metrics } = await trainer.iterate();
  trainer.destroy();
  const { partNorms } = metrics.diagnostics!;
  expect(Object.keys(partNorms!).sort()).toEqual(['attention', 'embedding', 'mlp', 'norms']);
  const total = Math.hypot(...Object.values(partNorms!));
  expect(total / metrics.gradientNorm!, 'the parts make up the whole').toBeCloseTo(1, 4);
  expect(metrics.diagnostics!.information, 'all tasks of the lesson look the same').toBeNull();
  for (const check of healthChecks.filter(({ key }) => key !== 'information'))
    expect(check.read(metrics), check.key).toSatisfy(Number.isFinite);
  expect(new Set(healthChecks.map(({ key }) => key)).size).toBe(healthChecks.length);
  const [spread] = healthChecks;
  expect([isHealthy(spread, 0.01), isHealthy(spread, 0.3), isHealthy(spread, null)]).toEqual([false, true, true]);
});

test('an echo trap is alike, sure and wrong for ten iterations; a solved task is none', () => {
  const after = (late: { rewardStd: number; entropy: number; success: number }, iterations: number): boolean => {
    let memory: EchoMemory = noEcho;
    let alarm = false;
    for (let i = 0; i < 10 + iterations; i++)
      ({ memory, alarm } = echoTrap(memory, i < 10 ? { rewardStd: 0.5, entropy: 1, success: 0.2 } : late));
    return alarm;
  };
  const trapped = { rewardStd: 0.01, entropy: 0.1, success: 0.2 };
  expect([after(trapped, 9), after(trapped, 10)]).toEqual([false, true]);
  expect(after({ ...trapped, success: 1 }, 20)).toBe(false);
  expect(after({ ...trapped, entropy: 0.9 }, 20)).toBe(false);
});
