/** The bill of a model: FLOP by arithmetic of one's own, and sentences about what does not fit. */
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/config';
import { forPretrained } from '../../src/config/for-pretrained';
import { presetByName } from '../../src/config/presets';
import { billLines, modelBill } from '../../src/rl/model-bill';
import { tinyConfig } from '../helpers/tiny-pretrained';

const preset = presetByName('calculator').config;
const config = parseConfig(forPretrained(preset, { name: 'tiny', digest: '0'.repeat(64), context: 2048 }));
const { rollout, evaluation } = config;

test('an iteration samples, validates now and then, and goes forward and back in each epoch', () => {
  const { flop, tokens } = modelBill(config, tinyConfig, Infinity);
  expect(tokens).toBe(512);
  const [D, F, H, Hk, E, V] = [24, 40, 4, 2, 8, 264];
  const qkv = D * (H + 2 * Hk) * E;
  const block = 2 * (qkv + H * E * D + 3 * D * F);
  const head = 2 * V * D;
  const [sampled, prompt] = [171, 341];
  const count = rollout.tasks * rollout.group;
  const draw = (tasks: number, rows: number) =>
    tasks * prompt * (block + 2 * qkv) + rows * sampled * (2 * block + head);
  const pass = (rollout.tasks * prompt + count * sampled) * 2 * block + count * sampled * head;
  const epochs = (algorithm: typeof config.algorithm) => 3 * algorithm.epochs + (algorithm.klCoefficient > 0 ? 1 : 0);
  const whole = draw(rollout.tasks, count) + draw(evaluation.tasks, evaluation.tasks) / evaluation.every;
  expect(flop / (whole + epochs(config.algorithm) * pass)).toBeCloseTo(1, 9);
  const compared = { ...config, algorithm: { ...config.algorithm, klCoefficient: 0.1, epochs: 3 } };
  expect(modelBill(compared, tinyConfig, Infinity).flop / (whole + 10 * pass)).toBeCloseTo(1, 9);
});

test('a run that does not fit says how many rollouts do', () => {
  const machine = { name: 'A machine', gflops: 2 };
  const lines = (memoryBytes: number) =>
    billLines(modelBill(config, tinyConfig, memoryBytes), { ...machine, memoryBytes }).join('\n');
  const { memory, rollouts } = modelBill(config, tinyConfig, Infinity);
  expect(rollouts).toBe(64);
  expect(lines(memory.total)).toContain('\nUp to 64 rollouts at once fit.\n');
  expect(lines(memory.total - memory.cache / 2)).toMatch(
    /A machine can hold .* is enough for 3\d rollouts at once\. Low/,
  );
  expect(lines(1e6)).toMatch(/too little for a single rollout/);
  expect(lines(memory.total)).toMatch(/^Memory: .* MB \(weights .*, key\/value cache of 64 rollouts .*\)\.\nUp to /);
});
