/** The shape of SmolLM2-135M with 64 rollouts of up to 1,024 tokens, allocated on the CPU device and counted there. */
import { expect, test } from 'vitest';
import { HeldBytes } from '../../src/cli/bench/held-bytes';
import { modelShape } from '../../src/cli/bench/model-shapes';
import { runConfig } from '../../src/cli/bench/pretrained';
import { randomModel } from '../../src/cli/bench/random-model';
import { openDevice } from '../../src/cli/engine';
import { pretrainedModel } from '../../src/model/families';
import { buildRun } from '../../src/rl/learner/shapes';
import { memoryParts } from '../../src/rl/memory-parts';

test(
  'its buffers take what was planned, at most 2.6 GB, when all weights are there',
  { timeout: 600_000 },
  async () => {
    const { config: json } = modelShape('smollm2-135m');
    const config = runConfig(json);
    const { rollout, model } = config;
    expect([rollout.tasks * rollout.group, model.context]).toEqual([64, 1024]);
    const network = await pretrainedModel(randomModel(json), { ...model.pretrained!, context: model.context }, []);
    const device = await openDevice('cpu');
    const held = new HeldBytes(device);
    const { store } = buildRun(device, config, network);
    store.initialise(1);
    await network.loadBase!(device, store);
    expect(held.peak).toBeLessThan(2.6e9);
    expect(held.peak / memoryParts(config, network).total).toBeCloseTo(1, 2);
    device.destroy();
  },
);
