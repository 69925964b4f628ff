/** `rollout.seeded`: runs of several seeds share what a seed decides, but for one cause of variance. */
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

const runOf = (seed: number, seeded: Seeded, flip = 0): RunConfig => {
  const run = tinyRun(2, 30);
  const algorithm = { ...run.algorithm, miniBatches: 2 };
  const rewards = { correct: 1, calls: 1, wasted: 0.1 };
  return { ...run, seed, algorithm, rewards, rollout: { ...run.rollout, seeded, flip } };
};

const create = (run: RunConfig) =>
  Trainer.create(device, new LocalSandbox({ binary, sdk: sdkSource }), run, source, quietHooks);

let warm: Uint8Array;

beforeAll(async () => {
  const first = await create(runOf(1, 'all'));
  await first.warmStart();
  warm = await saveCheckpoint(device, first, source);
  first.destroy();
});

/** Two iterations behind the warm start of seed 1. */
async function run(config: RunConfig) {
  const trainer = await create(config);
  restoreCheckpoint(trainer, warm);
  const iterations = [await trainer.iterate(), await trainer.iterate()];
  const { fingerprint } = trainer.progress;
  trainer.destroy();
  const rollouts = iterations.map((each) => each.rollouts);
  return {
    tasks: rollouts.map((of) => of.map(({ taskId }) => taskId)),
    said: rollouts.map((of) => of.map(({ steps }) => steps.map(({ tokens }) => tokens))),
    fingerprint,
  };
}

test('a seed decides all, tasks, sampling, mini-batches or none', async () => {
  const shared = await run(runOf(1, 'all'));
  expect(await run(runOf(2, 'none')), 'the same bits').toEqual(shared);
  const other = await run(runOf(2, 'all'));
  const tasks = await run(runOf(2, 'tasks'));
  expect(tasks.tasks).toEqual(other.tasks);
  expect(tasks.tasks).not.toEqual(shared.tasks);
  expect(tasks.said[0]).not.toEqual(other.said[0]);
  const sampling = await run(runOf(2, 'sampling'));
  expect(sampling.tasks).toEqual(shared.tasks);
  expect(sampling.said[0]).not.toEqual(shared.said[0]);
  const batches = await run(runOf(2, 'mini-batches'));
  expect(batches.said[0]).toEqual(shared.said[0]);
  expect(batches.fingerprint[0]).not.toBe(shared.fingerprint[0]);
});

test('one action may follow the seed where nothing else does', async () => {
  const shared = await run(runOf(1, 'all'));
  expect(await run(runOf(1, 'none', 2)), 'the seed that decided it').toEqual(shared);
  const others = await Promise.all([2, 3, 4, 5, 6, 7].map((seed) => run(runOf(seed, 'none', 2))));
  const flipped = new Set<number>();
  for (const { said, tasks, fingerprint } of others) {
    expect(tasks).toEqual(shared.tasks);
    expect([said[0], fingerprint[0]]).toEqual([shared.said[0], shared.fingerprint[0]]);
    const differing = said[1].flatMap((each, i) => (`${each}` === `${shared.said[1][i]}` ? [] : [i]));
    expect(differing.length).toBeLessThanOrEqual(1);
    expect(fingerprint[1] === shared.fingerprint[1]).toBe(differing.length === 0);
    for (const rollout of differing) flipped.add(rollout);
  }
  expect(flipped.size, 'seeds pick other rollouts').toBeGreaterThan(1);
});

test('refills follow the seed as first tasks do', () => {
  const batch = (seed: number, seeded: Seeded) => refillBatch(runOf(seed, seeded), 3, 1);
  const [one, two] = [batch(1, 'all'), batch(2, 'all')];
  expect(batch(2, 'none')).toEqual(one);
  expect(batch(2, 'tasks')).toEqual({ ...one, taskSeed: two.taskSeed });
  expect(batch(2, 'sampling')).toEqual({ ...one, seed: two.seed });
});
