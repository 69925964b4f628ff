/** The memory that a config.json promises is what the run of that model then takes on the CPU device. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { modelShape } from '../../src/cli/bench/model-shapes';
import { openDevice, openSandbox } from '../../src/cli/engine';
import { openModelFolder } from '../../src/cli/model-folder';
import { quietHooks } from '../../src/cli/recorded-start';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { forPretrained } from '../../src/config/for-pretrained';
import { presetByName } from '../../src/config/presets';
import { promisedNetwork } from '../../src/model/families';
import { largestWave, memoryParts } from '../../src/rl/memory-parts';
import { Trainer } from '../../src/rl/trainer';
import { writeTinyPretrained } from '../helpers/tiny-pretrained';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-memory-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const preset = presetByName('calculator').config;
const forModel = (found: Partial<Parameters<typeof forPretrained>[1]> = {}): RunConfig =>
  parseConfig(forPretrained(preset, { name: 'model', digest: '0'.repeat(64), context: 8192, ...found }));

test('a tiny Qwen3 takes what its config.json promises, part by part', async () => {
  const path = writeTinyPretrained(join(folder, 'tiny'));
  const model = (await openModelFolder(path))!;
  const config = forModel(model);
  const promised = promisedNetwork(
    JSON.parse(readFileSync(join(path, 'config.json'), 'utf8')),
    config.model.pretrained!,
  );
  const base = new Set(promised.specs.flatMap(({ name, frozen }) => (frozen ? [name] : [])));
  const device = await openDevice('cpu');
  const taken = { weights: 0, cache: 0, trained: 0, total: 0 };
  const buffer = vi.spyOn(device, 'buffer');
  const staging = vi.spyOn(device, 'staging');
  const hooks = { ...quietHooks, openModel: async () => model.files };
  (await Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks)).destroy();
  for (const [label, bytes] of [...buffer.mock.calls, ...staging.mock.calls]) {
    taken.total += bytes;
    if (base.has(label)) taken.weights += bytes;
    if (label.startsWith('cache ')) taken.cache += bytes;
    if (label === 'parameters') taken.trained += bytes;
  }
  device.destroy();
  const parts = memoryParts(config, promised);
  for (const [name, bytes] of Object.entries(taken)) {
    expect(bytes, name).toBeGreaterThan(0);
    expect(Math.abs(parts[name as keyof typeof taken] / bytes - 1), name).toBeLessThan(0.05);
  }
  const { weights, trained, optimizer, cache, activations, total } = parts;
  expect(weights + trained + optimizer + cache + activations).toBe(total);
  expect(optimizer).toBe(3 * trained);
});

describe('SmolLM2-135M', () => {
  const shape = modelShape('smollm2-135m').config;
  const config = forModel();
  const network = promisedNetwork(shape, config.model.pretrained!);
  const parts = memoryParts(config, network);

  test('its halves take 269 MB, an adapter of rank 16 has 4.9 million numbers', () => {
    expect(Math.round(parts.weights / 1e6)).toBe(269);
    expect(Math.round(parts.trained / 4e5)).toBe(49);
    const whole = promisedNetwork({ ...shape, torch_dtype: 'float32' }, config.model.pretrained!);
    expect(memoryParts(config, whole).weights / parts.weights).toBeCloseTo(2, 2);
  });

  test('64 rollouts of up to 1,024 tokens take at most 2.6 GB: 33 at once, layers computed again', () => {
    const { rollout, model } = config;
    expect([rollout.tasks * rollout.group, model.context]).toEqual([64, 1024]);
    expect(parts.total).toBeLessThan(2.6e9);
    expect(parts.cache).toBe(33 * 1024 * 30 * 2 * 3 * 64 * 4);
    expect(parts.activations).toBeLessThan(0.7e9);
  });

  test('as many rollouts as are said to fit fit, and one more does not', () => {
    const ofWave = (tasks: number) =>
      memoryParts(
        { ...config, rollout: { ...config.rollout, tasks, group: 1 }, evaluation: { ...config.evaluation, tasks: 1 } },
        network,
      ).total;
    const bytes = (ofWave(20) + ofWave(21)) / 2;
    expect(largestWave(config, network, bytes)).toBe(20);
    expect(largestWave(config, network, 1e8)).toBe(0);
    expect(largestWave(config, network, 1e15)).toBe(33);
  });
});
