/** Faults under a real run: a device taken away, a number broken, and always the bits of a run to which nothing happened. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { Watched } from './run-of';

let whole: Watched;
const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  whole = new Watched();
  expect(await whole.finish()).toEqual({ type: 'state', state: 'finished' });
});
afterAll(async () => {
  await whole.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', note);
  expect(rejections, 'unhandled rejections').toEqual([]);
});

function watch(...args: ConstructorParameters<typeof Watched>): Watched {
  const watched = new Watched(...args);
  onTestFinished(() => watched.close());
  return watched;
}

/** The device goes away without `Device.destroy`, as when the browser's GPU process dies. */
const lose = (watched: Watched) => watched.device!.handle.destroy();

function expectUnbroken(watched: Watched): void {
  expect(watched.curve).toEqual(whole.curve);
  expect(watched.fingerprint).toEqual(whole.fingerprint);
  expect(Buffer.compare(watched.stored.at(-1)!.state.checkpoint, whole.stored.at(-1)!.state.checkpoint), 'the last checkpoint').toBe(0);
}

test('a device lost within an iteration: the run goes on by itself from the last kept state, with the bits of an unbroken run', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 3 && watched.devicesOpened === 1) void watched.run.save();
    if (event.type === 'live' && watched.of('iteration').length === 4 && watched.devicesOpened === 1) lose(watched);
  });
  expect(await watched.finish()).toMatchObject({ state: 'finished' });
  expect(watched.devicesOpened).toBe(2);
  expect(watched.notices).toEqual(['device-lost']);
  const [restored] = watched.of('restored');
  expect(restored.iteration).toBe(3);
  expect(restored.metrics.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  expect(restored.warmLosses.length).toBe(2);
  expectUnbroken(watched);
});

test('a device lost in the warm start, before anything was kept: the run starts over', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'progress' && event.phase === 'warm-start' && event.done === 5 && watched.devicesOpened === 1) lose(watched);
  });
  expect(await watched.finish()).toMatchObject({ state: 'finished' });
  expect(watched.notices).toEqual(['device-lost']);
  expectUnbroken(watched);
});

test('a device lost while the run is paused: it stands there again, can be talked to, and goes on', async () => {
  const watched = watch();
  const ended = watched.finish(3);
  await watched.until('state', ({ state }) => state === 'paused');
  lose(watched);
  await expect(watched.run.chat('3+4', () => undefined)).rejects.toThrow(/lost while the agent answered|being prepared/);
  await watched.until('state', ({ state }) => state === 'paused');
  expect(watched.fingerprint).toEqual(whole.fingerprint.slice(0, 3));
  const answers: string[] = [];
  await watched.run.chat('3+4', ({ type }) => answers.push(type));
  expect(answers.at(-1)).toBe('done');
  watched.run.resume(Infinity);
  expect(await ended).toMatchObject({ state: 'finished' });
  expectUnbroken(watched);
});

test('a device lost three times within a minute ends the run with a sentence', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'iteration') lose(watched);
  });
  expect(await watched.finish()).toMatchObject({
    state: 'failed',
    remedy: 'resume',
    message: expect.stringContaining('3 times within a minute'),
  });
  expect(watched.notices).toEqual(['device-lost', 'device-lost']);
});
