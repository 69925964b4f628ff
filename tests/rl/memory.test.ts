/** The plan of a run's memory is what the run then allocates, byte for byte. */
import { beforeAll, describe, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { EnvironmentClient } from '../../src/agent/environment-client';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import type { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { modelPresets, presetByName } from '../../src/config/presets';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { planRun } from '../../src/rl/memory';
import { Trainer } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { gpuDevice } from '../helpers/devices';

const source = builtInEnvironments.calculator;
const mini = presetByName('calculator-mini').config;
const unlimited = { bindingBytes: Infinity, memoryBytes: Infinity };
const small = parseConfig({
  ...mini,
  model: { ...mini.model, layers: 2, width: 32, mlpWidth: 64 },
  rollout: { ...mini.rollout, tasks: 3, group: 4 },
  evaluation: { tasks: 8, every: 2 },
});
const ppo = withAlgorithm(small, 'ppo');

let device: WebGpuDevice;
let sandbox: LocalSandbox;

beforeAll(async () => {
  device = await gpuDevice();
  sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  await sandbox.load(source);
});

const plan = async (config: RunConfig, limits = unlimited) =>
  planRun(config, await new EnvironmentClient(sandbox).describe(), limits);

/** Bytes of the buffers that creating the run's trainer makes. */
async function allocated(config: RunConfig): Promise<number> {
  const { handle } = device;
  const createBuffer = handle.createBuffer.bind(handle);
  let bytes = 0;
  handle.createBuffer = (descriptor) => {
    bytes += descriptor.size;
    return createBuffer(descriptor);
  };
  try {
    (await Trainer.create(device, sandbox, config, source, quietHooks)).destroy();
    return bytes;
  } finally {
    handle.createBuffer = createBuffer;
  }
}

const runs: readonly [string, RunConfig][] = [
  ['without a critic', small],
  ['with a shared critic', ppo],
  ['with a critic of its own', { ...ppo, critic: { ...ppo.critic, network: 'separate' } }],
  ['with a head of its own and GELU', { ...small, model: { ...small.model, tied: false, mlp: 'gelu' } }],
  ['with grouped queries and a long context', { ...small, model: { ...small.model, kvHeads: 2, context: 512 } }],
  ['of words', { ...small, text: { ...small.text, tokenizer: 'word' } }],
  ['of byte pairs', { ...small, text: { ...small.text, tokenizer: 'bpe', vocabulary: 266 } }],
];

test.each(runs)('a run %s takes what was planned', async (_, config) => {
  const { totalBytes, problems } = await plan(config);
  expect(problems).toEqual([]);
  expect(totalBytes).toBe(await allocated(config));
});

describe('a run that does not fit says why', () => {
  const large = { ...small, model: modelPresets[4].model };
  const wide = { ...small, rollout: { ...small.rollout, tasks: 64 }, model: { ...small.model, context: 1024 } };

  test.each([
    [
      'weights',
      large,
      { bindingBytes: 10e6 },
      /^The model's weights take \d+ MB in one buffer and this device allows 10 MB; choose fewer layers or a smaller width\.$/,
    ],
    [
      'cache',
      wide,
      { bindingBytes: 32e6 },
      /^A layer's key\/value cache takes 67 MB in one buffer and this device allows 32 MB; halve the batch or the context\.$/,
    ],
    [
      'memory',
      small,
      { memoryBytes: 1e6 },
      /^The run takes \d+ MB and this machine has 1 MB; halve the batch or choose a smaller model\.$/,
    ],
  ])('%s', async (_, config, limits, sentence) => {
    expect((await plan(config, { ...unlimited, ...limits })).problems).toEqual([expect.stringMatching(sentence)]);
  });
});
