/** The page shows the same new tasks before and after, and trying them changes no bit of the run. */
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox } from '../../src/cli/engine';
import { quietHooks } from '../../src/cli/recorded-start';
import { parseConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import { iterations } from '../../src/rl/run';
import { Trainer } from '../../src/rl/trainer';
import { timeless } from '../helpers/timeless';
import { tiny, Watched } from './run-of';

const config = parseConfig({ ...tiny, iterations: 3, evaluation: { tasks: 12, every: 2 } });

const watch = (...given: ConstructorParameters<typeof Watched>): Watched => {
  const watched = new Watched(...given);
  onTestFinished(() => watched.close());
  return watched;
};

test('the same tasks are tried before the first step and at each validation', { timeout: 120_000 }, async () => {
  const watched = watch(config);
  await watched.finish();
  const shown = watched.of('same-tasks').map(({ sameTasks }) => sameTasks);
  expect(shown.map((tasks) => tasks.map((task) => task.map(({ iteration }) => iteration)))).toEqual([
    Array.from({ length: 4 }, () => [0]),
    ...[1, 2, 3].map((iteration) => Array.from({ length: 4 }, () => [0, iteration])),
  ]);
  const idsOf = (checkpoint: number) => shown.at(-1)!.map((task) => task[checkpoint].taskId);
  expect(idsOf(1)).toEqual(idsOf(0));
  expect(new Set(idsOf(0)).size, 'different tasks').toBe(4);
  const before = shown[0].map(([{ success }]) => success);
  expect(before, 'unsolved tasks come first').toEqual([...before].sort((a, b) => Number(a) - Number(b)));

  const { snapshot } = { snapshot: watched.stored.at(-1)!.state };
  expect(snapshot.history.sameTasks).toEqual(shown.at(-1));
  const restored = watch(config, { spec: { snapshot } });
  await restored.finish();
  expect(restored.of('restored')[0].sameTasks).toEqual(shown.at(-1));
});

test('trying them leaves the bits of the run alone', { timeout: 120_000 }, async () => {
  const watched = watch(config);
  await watched.finish();
  const device = await watched.openDevice();
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), quietHooks);
  onTestFinished(() => trainer.destroy());
  const curve: object[] = [];
  for await (const { metrics } of iterations(trainer)) curve.push(timeless(metrics));
  expect(watched.curve).toEqual(curve);
  expect(watched.fingerprint).toEqual(trainer.progress.fingerprint);
});
