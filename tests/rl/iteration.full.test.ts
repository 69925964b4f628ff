/** What one iteration does beside learning, for more algorithms; and KL holds the policy near its start. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { lessonConfig, lessonTrainer } from '../helpers/lessons';
import { expectMasksToMatter } from '../helpers/masks';

test.each(['gigpo', 'reinforce-pp', 'step-ppo', 'bi-level-gae'] as const)(
  '%s: either mask may be off',
  expectMasksToMatter,
);

test('KL holds the policy near its start, wherever it is put', async () => {
  const distance = async (settings: Partial<RunConfig['algorithm']>) => {
    const trainer = await lessonTrainer('bandit', {
      ...lessonConfig,
      algorithm: { ...lessonConfig.algorithm, ...settings },
    });
    let kl = 0;
    for (let i = 0; i < 8; i++) kl = (await trainer.iterate()).metrics.kl!;
    trainer.destroy();
    return kl;
  };
  // A coefficient that does nothing, so that KL is measured on every token.
  const free = await distance({ klCoefficient: 1e-9 });
  // On average k1 pulls only from the reward, the others only through their gradient in the loss.
  expect(await distance({ klCoefficient: 1, klPlace: 'reward', klEstimator: 'k1' })).toBeLessThan(0.75 * free);
  for (const klEstimator of ['k2', 'k3', 'k3+'] as const)
    expect(await distance({ klCoefficient: 1, klPlace: 'loss', klEstimator }), klEstimator).toBeLessThan(0.75 * free);
});
