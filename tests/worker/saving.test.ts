/**
 * States that a run keeps: it goes on from any of them in another tab's life, bit for bit; and who may train.
 * What a long run piles up: long-run.full.test.ts.
 */
import { expect, onTestFinished, test } from 'vitest';
import { readCheckpointHead } from '../../src/rl/checkpoint';
import { engineVersion } from '../../src/config/run-link';
import { extended } from '../../src/rl/learner/schedule';
import { tiny, Watched } from './run-of';

function watch(...args: ConstructorParameters<typeof Watched>): Watched {
  const watched = new Watched(...args);
  onTestFinished(() => watched.close());
  return watched;
}

test('a run saved in its warm start or between iterations goes on and ends with the same bytes', async () => {
  const whole = watch();
  whole.onEvent((event) => {
    if (event.type === 'progress' && event.phase === 'warm-start' && event.done === 7) void whole.run.save();
    if (event.type === 'iteration' && event.metrics.iteration === 4) void whole.run.save();
  });
  expect(await whole.finish()).toEqual({ type: 'state', state: 'finished' });
  const places = whole.stored.map(({ run }) => `${run.warmSteps} ${run.iteration} ${run.finished}`);
  expect(places, 'and what the autosave kept').toEqual(
    expect.arrayContaining(['7 0 false', '12 4 false', '12 6 true']),
  );
  const last = whole.stored.at(-1)!.state;
  for (const { state, run } of whole.stored.slice(0, -1)) {
    const restored = watch(tiny, { spec: { snapshot: structuredClone(state) } });
    expect(await restored.finish()).toEqual({ type: 'state', state: 'finished' });
    expect(restored.events.findIndex(({ type }) => type === 'restored')).toBe(
      restored.events.findIndex(({ type }) => type === 'started') + 1,
    );
    expect(restored.of('restored')[0]).toMatchObject({ iteration: run.iteration, metrics: state.history.metrics });
    const end = restored.stored.at(-1)!.state;
    expect(Buffer.compare(end.checkpoint, last.checkpoint)).toBe(0);
    expect(end.history.curve).toEqual(last.history.curve);
    expect(end.history.warmLosses).toEqual(last.history.warmLosses);
    expect(restored.run.soFar).toEqual(whole.run.soFar);
  }
  expect(readCheckpointHead(last.checkpoint).engineVersion).toBe(engineVersion);
});

test('the first iteration is kept at once: whoever has seen its point and reloads goes on from there', async () => {
  const watched = watch();
  await watched.finish();
  const { warmSteps, iteration } = watched.stored[0].run;
  expect([warmSteps, iteration]).toEqual([12, 1]);
});

test('a finished run that is extended ends with the bytes of a run that was so long from the first', async () => {
  const short = watch({ ...tiny, iterations: 2 });
  await short.finish();
  const config = extended({ ...tiny, iterations: 2 }, 2);
  const longer = watch(config, { spec: { snapshot: structuredClone(short.stored.at(-1)!.state) } });
  expect(await longer.finish()).toEqual({ type: 'state', state: 'finished' });
  const whole = watch(config);
  await whole.finish();
  expect(longer.curve).toEqual(whole.curve.slice(2));
  expect(longer.fingerprint).toEqual(whole.fingerprint);
  expect(Buffer.compare(longer.stored.at(-1)!.state.checkpoint, whole.stored.at(-1)!.state.checkpoint)).toBe(0);
});

test('a storage that fails is told once, and once that it works again; training goes on', async () => {
  let fails = true;
  const watched = watch(tiny, {
    parts: {
      saved: {
        save: async () => {
          if (fails) throw new DOMException('full', 'QuotaExceededError');
        },
      },
    },
  });
  watched.onEvent((event) => {
    if (event.type !== 'iteration') return;
    fails = event.metrics.iteration < 4;
    void watched.run.save();
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(watched.of('notice').map(({ notice }) => [notice.kind, notice.remedy])).toEqual([
    ['not-saved', 'download'],
    ['not-saved', 'none'],
  ]);
  expect(watched.of('saved').at(-1)?.iteration).toBe(6);
});

test('a run waits for its turn and gives it back', async () => {
  let freed = 0;
  const tabLock = { acquire: async () => false, release: () => void freed++ };
  const watched = watch(tiny, { parts: { tabLock } });
  expect(await watched.finish()).toMatchObject({
    state: 'failed',
    remedy: 'try-again',
    message: expect.stringContaining('Another tab'),
  });
  expect([watched.devicesOpened, freed]).toEqual([0, 1]);
});
