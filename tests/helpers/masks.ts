/** The loss mask and the advantage mask of an algorithm. */
import { expect } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { lessonConfig, lessonTrainer } from './lessons';

/** An algorithm trains with either mask off, and each changes what it trains on. */
export async function expectMasksToMatter(name: RunConfig['algorithm']['name']): Promise<void> {
  const config = { ...withAlgorithm(lessonConfig, name), evaluation: { tasks: 1, every: 1 } };
  const first: { tokens: number; gradientNorm: number }[] = [];
  for (const lossMask of [true, false])
    for (const advantageMask of [true, false]) {
      const algorithm = { ...config.algorithm, lossMask, advantageMask };
      const run = { ...config, algorithm, critic: { ...config.critic, warmup: 0 } };
      const trainer = await lessonTrainer('threeSteps', run);
      for (let i = 0; i < 2; i++) {
        const { metrics } = await trainer.iterate();
        if (i === 0) first.push({ tokens: metrics.trainedTokens, gradientNorm: metrics.gradientNorm! });
        expect(metrics.skippedUpdates).toBe(0);
        expect([metrics.policyLoss, metrics.gradientNorm, metrics.kl].every(Number.isFinite)).toBe(true);
        expect(metrics.gradientNorm).toBeGreaterThan(0);
      }
      trainer.destroy();
    }
  const [both, , noLossMask, neither] = first;
  expect(noLossMask.tokens, 'tool tokens are in the loss').toBeGreaterThan(both.tokens);
  expect(neither.gradientNorm, 'tool tokens in the loss have advantages').not.toBe(noLossMask.gradientNorm);
}
