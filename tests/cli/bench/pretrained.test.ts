/** `bench --model` on a tiny Qwen3: it loads, trains and decodes as a run does, and counts what is planned. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '../../../src/device/device';
import { openTensors } from '../../../src/lib/stored-tensors';
import { HeldBytes } from '../../../src/cli/bench/held-bytes';
import { modelShape } from '../../../src/cli/bench/model-shapes';
import { benchModel } from '../../../src/cli/bench/pretrained';
import { randomModel } from '../../../src/cli/bench/random-model';
import { modelTable } from '../../../src/cli/bench/tables';
import { openDevice } from '../../../src/cli/engine';

let device: Device;
beforeAll(async () => {
  device = await openDevice('cpu');
});
afterAll(() => device.destroy());

const tiny = modelShape('tests/vectors/pretrained/qwen3/config.json');

test('files of random weights have all tensors of the shape, norms of ones, and rows that differ', async () => {
  const tensors = await openTensors(randomModel(modelShape('smollm2-135m').config));
  expect(tensors.size).toBe(2 + 30 * 9);
  expect([...(await tensors.get('model.norm.weight')!.numbers(570))]).toEqual([1, 1, 1, 1, 1, 1]);
  const embedding = tensors.get('model.embed_tokens.weight')!;
  expect(embedding.shape).toEqual([49152, 576]);
  const rows = await embedding.numbers(576 * 113, 2 * 576);
  const mean = rows.reduce((sum, number) => sum + number, 0) / rows.length;
  expect(Math.abs(mean)).toBeLessThan(0.002);
  expect(rows.subarray(0, 576)).not.toEqual(rows.subarray(576));
});

test('bytes are counted until their buffer is destroyed, once', async () => {
  const own = await openDevice('cpu');
  const held = new HeldBytes(own);
  const buffer = own.buffer('a', 1000);
  own.staging('b', 500);
  buffer.destroy();
  buffer.destroy();
  own.buffer('c', 600);
  expect(held.peak).toBe(1500);
  own.destroy();
});

test('it times each step, counts its products and its memory, and PyTorch must train as many numbers', async () => {
  const asked: string[] = [];
  const torch = { version: '2.1', trained: 0, time: async (step: string) => asked.push(step), stop: () => undefined };
  await expect(benchModel(device, tiny, 1, 2, async () => torch)).rejects.toThrow('PyTorch trains 0 numbers');
  const times = await benchModel(device, tiny, 1, 2, null);
  const { vocab_size: V, hidden_size: D, intermediate_size: F } = tiny.config as Record<string, number>;
  const { num_attention_heads: H, num_key_value_heads: Hk, head_dim: E } = tiny.config as Record<string, number>;
  const products = D * (2 * (H + Hk) * E + 3 * F) + V * D;
  expect(times.steps.map(({ gflop }) => Math.round(gflop * 1e9))).toEqual([
    4 * 512 * products,
    2 * products,
    16 * products,
  ]);
  for (const { ms, share } of times.steps) {
    expect(ms).toBeGreaterThan(0);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
  }
  expect(times.heldBytes / times.plannedBytes).toBeCloseTo(1, 1);
  expect(modelTable(times)).toContain('| qwen3, 1 of 2 layers | GFLOP | ms |');
});
