/** A run that goes on under another reward: as a new run from the state of the run before it. */
import { expect, onTestFinished, test } from 'vitest';
import { weightedReward } from '../../src/agent/flow';
import { readCheckpointHead } from '../../src/rl/checkpoint';
import { parseConfig } from '../../src/config/config';
import { environmentSource } from '../../src/config/environment-source';
import type { SavedState } from '../../src/run/autosave';
import { tiny, Watched } from './run-of';

function watch(...args: ConstructorParameters<typeof Watched>): Watched {
  const watched = new Watched(...args);
  onTestFinished(() => watched.close());
  return watched;
}

const rolloutsOf = (watched: Watched, iteration: number) =>
  watched.of('iteration').find(({ metrics }) => metrics.iteration === iteration)!.rollouts;

test('its next rollouts are the same, scored anew; its record says where; its link has no curve', async () => {
  const config = parseConfig({ ...tiny, iterations: 4 });
  const first = watch(config);
  let saving: Promise<SavedState | null> | undefined;
  first.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 2) saving = first.run.saveToBranch();
  });
  await first.finish();
  const { run, snapshot } = (await saving)!;
  expect([run.iteration, run.finished]).toEqual([2, false]);

  const rewards = Object.fromEntries(Object.keys(config.rewards).map((name) => [name, -2]));
  expect(Object.keys(rewards).length).toBeGreaterThan(0);
  const spec = { id: 'branch', snapshot: structuredClone(snapshot), parent: run.id, configChanges: [2] };
  const branch = watch(parseConfig({ ...config, rewards }), { spec });
  expect(await branch.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(branch.of('begun')[0].configChanges).toEqual([2]);
  expect(branch.of('restored')[0]).toMatchObject({ iteration: 2, metrics: snapshot.history.metrics });
  const [before, after] = [rolloutsOf(first, 3), rolloutsOf(branch, 3)];
  expect(after.map(({ steps }) => steps.map(({ tokens }) => tokens))).toEqual(
    before.map(({ steps }) => steps.map(({ tokens }) => tokens)),
  );
  const weights = { ...config.rewards, ...rewards };
  expect(after.map(({ reward }) => reward)).toEqual(before.map(({ steps }) => weightedReward(steps, weights)));
  expect(branch.stored.at(-1)!.run).toMatchObject({ parent: 'test', configChanges: [2], iteration: 4 });
  expect(first.run.soFar).not.toBeNull();
  expect(branch.run.soFar).toBeNull();
});

test('a run that goes on with other code plays by that code', async () => {
  const first = watch({ ...tiny, iterations: 2 });
  let saving: Promise<SavedState | null> | undefined;
  first.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 1) saving = first.run.saveToBranch();
  });
  await first.finish();
  const { run, snapshot } = (await saving)!;
  const before = environmentSource(run.config);
  const source = before.replace('correct: Number(success)', 'correct: 1');
  expect(source).not.toBe(before);
  const environment = { ...run.config.environment, name: 'own', source };
  const spec = { id: 'branch', snapshot: structuredClone(snapshot), parent: run.id, configChanges: [1] };
  const branch = watch(parseConfig({ ...run.config, environment }), { spec });
  expect(await branch.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(rolloutsOf(branch, 2).every(({ steps }) => steps.at(-1)!.rewards.correct === 1)).toBe(true);
  expect(readCheckpointHead(branch.stored.at(-1)!.state.checkpoint).source).toBe(source);
});

test('a paused run goes on until its state can be copied', async () => {
  const watched = watch();
  const paused = watched.until('state', ({ state }) => state === 'paused');
  watched.run.start(1);
  await paused;
  const saved = await watched.run.saveToBranch();
  expect(saved!.run.iteration).toBeGreaterThanOrEqual(1);
  expect(saved!.snapshot.history.curve).toHaveLength(saved!.run.iteration);
});
