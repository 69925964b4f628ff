/** A critic of a whole lesson: it foresees more and more, and a policy learns with it. */
import { expect, test } from 'vitest';
import { withAlgorithm } from '../../src/config/with-algorithm';
import type { RunConfig } from '../../src/config/config';
import { lessonConfig, lessonTrainer, solved, successes } from '../helpers/lessons';

const ppo = withAlgorithm(lessonConfig, 'ppo');
const separate: RunConfig = { ...ppo, critic: { ...ppo.critic, network: 'separate' } };

test('a critic foresees more and more of a policy that stays as it is', async () => {
  const trainer = await lessonTrainer('threeSteps', {
    ...separate,
    critic: { ...separate.critic, learningRate: 3e-3, warmup: 30 },
  });
  const foreseen: number[] = [];
  for (let i = 0; i < 30; i++) foreseen.push((await trainer.iterate()).metrics.diagnostics!.explainedVariance!);
  trainer.destroy();
  expect(foreseen[0], 'a critic that says 0 explains nothing').toBe(0);
  expect(Math.max(...foreseen.slice(20)), foreseen.map((value) => value.toFixed(2)).join(' ')).toBeGreaterThan(0.1);
});

test('a critic of its own solves the three steps as a shared one does', async () => {
  const curve = await successes('threeSteps', separate, 36);
  expect(curve.at(-1), curve.join(' ')).toBeGreaterThanOrEqual(solved);
});
