/**
 * Whole runs on the real device: the same bits twice, checkpoints that go on as if nothing had happened, and switches
 * that matter.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { quietHooks } from '../../src/cli/recorded-start';
import { compileQuickJs } from '../../src/cli/quickjs';
import { builtInEnvironments, sdkSource } from '../../src/environments/built-in';
import type { Device } from '../../src/device/device';
import { readCheckpointHead, restoreCheckpoint, saveCheckpoint } from '../../src/rl/checkpoint';
import type { RunConfig } from '../../src/config/config';
import type { Metrics } from '../../src/rl/report';
import { timeless } from '../helpers/timeless';
import { Trainer, type TrainerHooks } from '../../src/rl/trainer';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { testDevice } from '../helpers/devices';
import { tinyRun } from '../helpers/tiny-run';

const config = tinyRun(4);
const source = builtInEnvironments.calculator;

let device: Device;
let binary: WebAssembly.Module;

beforeAll(async () => {
  device = await testDevice();
  binary = await compileQuickJs();
});

const create = (run: RunConfig, more: Partial<TrainerHooks> = {}) =>
  Trainer.create(device, new LocalSandbox({ binary, sdk: sdkSource }), run, source, { ...quietHooks, ...more });

/** Metrics without what is measured in time, which is measured. */
function reproducible(metrics: Metrics) {
  const { sampleTokensPerSecond, trainTokensPerSecond, sampleMs, environmentMs, trainMs, evaluateMs } = metrics;
  for (const each of [sampleTokensPerSecond, trainTokensPerSecond, sampleMs, environmentMs, trainMs])
    expect(each).toBeGreaterThan(0);
  expect(evaluateMs).toBeGreaterThanOrEqual(0);
  return timeless(metrics);
}

async function runAll(run: RunConfig) {
  const trainer = await create(run);
  await trainer.warmStart();
  const metrics = [];
  while (trainer.progress.iteration < run.iterations) metrics.push(reproducible((await trainer.iterate()).metrics));
  const checkpoint = await saveCheckpoint(device, trainer, source);
  const { fingerprint } = trainer.progress;
  trainer.destroy();
  return { metrics, checkpoint, fingerprint };
}

describe('a run', () => {
  test('repeats bit for bit, continues bit for bit from a checkpoint, and depends on its seed', async () => {
    const whole = await runAll(config);
    const again = await runAll(config);
    expect(again.metrics).toEqual(whole.metrics);
    expect(again.fingerprint).toEqual(whole.fingerprint);
    expect(Buffer.compare(again.checkpoint, whole.checkpoint), 'checkpoints are equal byte for byte').toBe(0);
    expect(whole.metrics.map((each) => each.validationSuccess !== null)).toEqual([true, true, false, true]);

    const first = await create(config);
    await first.warmStart();
    await first.iterate();
    await first.iterate();
    const file = await saveCheckpoint(device, first, source);
    first.destroy();
    const head = readCheckpointHead(file);
    expect(head.config).toEqual(config);
    const second = await create(head.config);
    restoreCheckpoint(second, file);
    const rest = [reproducible((await second.iterate()).metrics), reproducible((await second.iterate()).metrics)];
    expect(rest).toEqual(whole.metrics.slice(2));
    expect(
      Buffer.compare(await saveCheckpoint(device, second, source), whole.checkpoint),
      'a continued run ends in the same bytes',
    ).toBe(0);
    second.destroy();

    const other = await runAll({ ...config, seed: 2, iterations: 1 });
    expect(other.fingerprint[0]).not.toBe(whole.fingerprint[0]);
    expect(device.uncapturedError).toBeNull();
  });

  test('continues bit for bit from between any two steps of its warm start, reported losses included', async () => {
    const run = { ...config, iterations: 1, warmStart: { ...config.warmStart, steps: 12 } };
    const train = async (file: Uint8Array | null, stopAfter: number) => {
      const losses: [number, number | null][] = [];
      const trainer = await create(run, {
        beforeSubmit: async () => {
          if (!trainer.progress.warm && trainer.progress.warmSteps === stopAfter) throw new Error('stopped');
        },
        onWarmLoss: (step, loss) => losses.push([step, loss]),
      });
      if (file) restoreCheckpoint(trainer, file);
      if (stopAfter < 12) await expect(trainer.warmStart()).rejects.toThrow('stopped');
      else await trainer.warmStart().then(() => trainer.iterate());
      const checkpoint = await saveCheckpoint(device, trainer, source);
      trainer.destroy();
      return { losses, checkpoint };
    };
    const whole = await train(null, Infinity);
    const third = await train(null, 3);
    expect(readCheckpointHead(third.checkpoint).progress).toMatchObject({ warmSteps: 3, warm: false, iteration: 0 });
    const eleventh = await train(third.checkpoint, 11);
    const rest = await train(eleventh.checkpoint, Infinity);
    expect([...eleventh.losses, ...rest.losses]).toEqual(whole.losses);
    expect(Buffer.compare(rest.checkpoint, whole.checkpoint), 'the same bytes').toBe(0);
  });

  test('starts from weights whose KL is nearly 0, and the loss mask adds tool tokens to the loss', async () => {
    const trainer = await create(config);
    await trainer.warmStart();
    const { metrics, rollouts, trajectories } = await trainer.iterate();
    expect(metrics.kl, 'what halves lose').toBeLessThan(1e-6);
    const { information } = metrics.diagnostics!;
    expect(information!.upperBound).toBe(Math.log(config.rollout.tasks));
    expect(information!.mutualInformation).toBeLessThanOrEqual(information!.upperBound);
    const written = trajectories.flatMap(({ steps }) => steps.flatMap((step) => step.action.tokens)).length;
    expect(metrics.trainedTokens).toBe(written);
    expect(
      rollouts.flatMap((rollout) => rollout.steps.flatMap((step) => step.lossMask)).filter((flag) => flag === 1).length,
    ).toBe(written);
    trainer.destroy();

    const unmasked = await create({
      ...config,
      algorithm: { ...config.algorithm, lossMask: false, advantageMask: false },
    });
    await unmasked.warmStart();
    const open = await unmasked.iterate();
    expect(open.metrics.trainedTokens).toBeGreaterThan(written);
    expect(
      open.metrics.clipFraction,
      'log-probs of tokens nobody sampled come from the weights, so nothing is clipped in the first update',
    ).toBeLessThan(0.2);
    unmasked.destroy();
  });

  test('says what is wrong with a config that does not fit its environment', async () => {
    await expect(create({ ...config, rewards: { beauty: 1 } })).rejects.toThrow(
      'the environment has no reward term beauty',
    );
  });
});
