/** `rollout.seeded`: runs of several seeds share tasks, sampling or both, so that one cause of variance shows alone. */
import { beforeAll, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import type { RunConfig } from '../../src/config/config';
import type { Device } from '../../src/device/device';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import { restoreCheckpoint, saveCheckpoint } from '../../src/rl/checkpoint';
import { refillBatch } from '../../src/rl/rollouts/batches';
import { Trainer } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { testDevice } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';

const source = builtInEnvironments.calculator;
type Seeded = RunConfig['rollout']['seeded'];

let device: Device;
let binary: WebAssembly.Module;

beforeAll(async () => {
  device = await testDevice();
  binary = await compileQuickJs();
});

const runOf = (seed: number, seeded: Seeded): RunConfig => {
  const run = tinyRun(1);
  return { ...run, seed, rollout: { ...run.rollout, seeded } };
};

const create = (run: RunConfig) =>
  Trainer.create(device, new LocalSandbox({ binary, sdk: sdkSource }), run, source, quietHooks);

test('a seed decides tasks, sampling, both or neither', async () => {
  const first = await create(runOf(1, 'both'));
  await first.warmStart();
  const warm = await saveCheckpoint(device, first, source);
  first.destroy();
  const sampled = async (seed: number, seeded: Seeded) => {
    const trainer = await create(runOf(seed, seeded));
    restoreCheckpoint(trainer, warm);
    const { rollouts } = await trainer.iterate();
    trainer.destroy();
    return {
      tasks: rollouts.map(({ taskId }) => taskId),
      said: rollouts.map(({ steps }) => steps.map(({ tokens }) => tokens)),
    };
  };
  const shared = await sampled(1, 'both');
  expect(await sampled(2, 'neither')).toEqual(shared);
  const other = await sampled(2, 'both');
  const tasks = await sampled(2, 'tasks');
  expect(tasks.tasks).toEqual(other.tasks);
  expect(tasks.tasks).not.toEqual(shared.tasks);
  expect(tasks.said).not.toEqual(other.said);
  const sampling = await sampled(2, 'sampling');
  expect(sampling.tasks).toEqual(shared.tasks);
  expect(sampling.said).not.toEqual(shared.said);
});

test('refills follow the seed as first tasks do', () => {
  const batch = (seed: number, seeded: Seeded) => refillBatch(runOf(seed, seeded), 3, 1);
  const [one, two] = [batch(1, 'both'), batch(2, 'both')];
  expect(batch(2, 'neither')).toEqual(one);
  expect(batch(2, 'tasks')).toEqual({ ...one, taskSeed: two.taskSeed });
  expect(batch(2, 'sampling')).toEqual({ ...one, seed: two.seed });
});
