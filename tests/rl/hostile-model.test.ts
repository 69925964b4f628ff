/** A pretrained model whose files go bad while they are read: one sentence, and the device is as it was. */
import { expect, test } from 'vitest';
import { HeldBytes } from '../../src/cli/bench/held-bytes';
import { modelShape } from '../../src/cli/bench/model-shapes';
import { runConfig, withRollouts } from '../../src/cli/bench/pretrained';
import { randomModel } from '../../src/cli/bench/random-model';
import { openDevice, openSandbox } from '../../src/cli/engine';
import { quietHooks } from '../../src/cli/recorded-start';
import { environmentSource } from '../../src/config/environment-source';
import type { ByteSource } from '../../src/lib/byte-source';
import type { Files } from '../../src/lib/stored-tensors';
import { Trainer } from '../../src/rl/trainer';

const { config: tiny } = modelShape('tests/vectors/pretrained/qwen3/config.json');
const whole = randomModel(tiny);
const weights = whole.get('model.safetensors')!;
const withWeights = (source: ByteSource): Files => new Map([...whole, ['model.safetensors', source]]);
/** The last tensor, which is read when all others are on the device. */
const isLast = (offset: number, length: number) => offset + length === weights.size;

const bad: Record<string, [Files, string]> = {
  'a number that is none': [
    withWeights({
      size: weights.size,
      read: async (offset, length) =>
        isLast(offset, length) ? new Uint8Array(length).fill(0x7e) : weights.read(offset, length),
    }),
    '"model.safetensors" cannot be used: "model.norm.weight" holds a number that is not finite.',
  ],
  'a file that became shorter': [
    withWeights({
      size: weights.size,
      read: async (offset, length) => {
        if (isLast(offset, length)) throw new Error('model.safetensors became shorter while it was read.');
        return weights.read(offset, length);
      },
    }),
    'model.safetensors became shorter while it was read.',
  ],
};

test('nothing that a failed model took stays on the device, and another one trains there', async () => {
  const device = await openDevice('cpu');
  const held = new HeldBytes(device);
  const config = withRollouts(runConfig(tiny), 2);
  const open = async (files: Files) => {
    const hooks = { ...quietHooks, openModel: async () => files };
    return Trainer.create(device, await openSandbox(), config, environmentSource(config), hooks);
  };
  for (const [what, [files, sentence]] of Object.entries(bad)) {
    const before = held.peak;
    await expect(open(files), what).rejects.toThrow(sentence);
    expect(held.now, what).toBe(0);
    expect(held.peak).toBeGreaterThan(Math.max(before - 1, 1e6));
  }
  const trainer = await open(whole);
  expect(held.now).toBeGreaterThan(1e6);
  trainer.destroy();
  expect(held.now).toBe(0);
  device.destroy();
});
