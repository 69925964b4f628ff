/**
 * Faults under a real run: a device taken away, a number broken, memory used up; and the bits of a run to which nothing
 * happened.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { allFinite } from '../../src/model/not-finite';
import { readSafetensors } from '../../src/lib/safetensors';
import { tiny, Watched } from './run-of';

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
  expect(
    Buffer.compare(watched.stored.at(-1)!.state.checkpoint, whole.stored.at(-1)!.state.checkpoint),
    'the last checkpoint',
  ).toBe(0);
}

/** Nothing that the page is told is NaN or infinite. */
function expectNumbers(watched: Watched): void {
  for (const { metrics, rollouts } of watched.of('iteration')) {
    const walk = (value: unknown): void => {
      if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk);
    };
    walk([metrics, rollouts]);
  }
}

test('a device lost within an iteration: the run goes on from the last kept state with the same bits', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 3 && watched.devicesOpened === 1)
      void watched.run.save();
    const evaluates = event.type === 'progress' && event.phase === 'evaluating';
    if (evaluates && watched.of('iteration').length === 5 && watched.devicesOpened === 1) lose(watched);
  });
  expect(await watched.finish()).toMatchObject({ state: 'finished' });
  expect(watched.devicesOpened).toBe(2);
  expect(watched.notices).toEqual(['device-lost']);
  const [restored] = watched.of('restored');
  expect(restored.iteration, 'the autosave may have kept a later one').toBeOneOf([3, 4, 5]);
  expect(restored.metrics.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5].slice(0, restored.iteration));
  expect(restored.warmLosses.length).toBe(2);
  expectUnbroken(watched);
});

test('a device lost in the warm start, before anything was kept: the run starts over', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'progress' && event.phase === 'warm-start' && event.done === 5 && watched.devicesOpened === 1)
      lose(watched);
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
  await expect(watched.run.chat('3+4', () => undefined)).rejects.toThrow(
    /lost while the agent answered|being prepared/,
  );
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

test('a device lost after the end: the agent is gone with a sentence, the last state is not', async () => {
  const watched = watch();
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  lose(watched);
  await watched.device!.handle.lost;
  await expect(watched.run.chat('3+4', () => undefined)).rejects.toThrow('open its last save');
  expect(Buffer.compare(await watched.run.checkpoint(), watched.stored.at(-1)!.state.checkpoint)).toBe(0);
});

test('a weight that is not a number: the run goes back to its last good state once, with the same bits', async () => {
  const watched = watch();
  let poisoned = false;
  watched.onEvent((event) => {
    if (event.type !== 'iteration' || poisoned) return;
    if (event.metrics.iteration === 2) void watched.run.save();
    if (event.metrics.iteration === 4) {
      poisoned = true;
      watched.poison('parameters', NaN);
    }
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(watched.notices).toEqual(['rolled-back']);
  const [{ iteration }, ...more] = watched.of('restored');
  expect(iteration, 'the autosave may have kept a later one').toBeOneOf([2, 3, 4]);
  expect(more).toEqual([]);
  expectUnbroken(watched);
  expectNumbers(watched);
});

test('a weight that breaks again at the same place ends the run: a lower rate is the advice', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 2) watched.poison('parameters', Infinity);
  });
  expect(await watched.finish()).toMatchObject({ state: 'failed', remedy: 'halve-rate' });
  expect(watched.notices).toEqual(['rolled-back']);
  for (const { state } of watched.stored)
    for (const { data } of readSafetensors(state.checkpoint).tensors.values())
      expect(allFinite(data), 'what is kept').toBe(true);
});

/** Where the loss kernel says that a number of an update is not finite. */
const veto = 'optimizer veto';

test('an update that is not finite is skipped, counted and told, and training goes on', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 3) watched.poison(veto, 1);
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(watched.notices).toEqual(['update-skipped']);
  expect(watched.of('iteration').map(({ metrics }) => metrics.skippedUpdates)).toEqual([0, 0, 0, 1, 0, 0]);
  expectNumbers(watched);
  expect(watched.curve.slice(0, 3)).toEqual(whole.curve.slice(0, 3));
});

test('skipped updates in three iterations in a row: the run goes back to the state before them', async () => {
  const watched = watch();
  let left = 3;
  watched.onEvent((event) => {
    if (event.type !== 'iteration' || event.metrics.iteration < 2 || left === 0) return;
    if (event.metrics.iteration === 2) void watched.run.save();
    void watched.run.gate.requestPause();
    setTimeout(() => {
      left--;
      watched.poison(veto, 1);
      watched.run.resume(Infinity);
    }, 300);
  });
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  expect(watched.notices).toEqual(['update-skipped', 'update-skipped', 'rolled-back']);
  expect(watched.of('restored').map((each) => each.iteration)).toEqual([2]);
  expectUnbroken(watched);
});

test('no memory for the trainer: a sentence and a smaller batch, and what was made is freed', async () => {
  const watched = watch();
  const { handle } = await watched.openDevice();
  handle.popErrorScope = async () => ({ message: 'as a driver without memory answers' });
  expect(await watched.finish()).toMatchObject({
    state: 'failed',
    remedy: 'halve-batch',
    message: expect.stringContaining('not enough graphics memory'),
  });
  expect(watched.bufferCount).toBe(0);
});

test('an error that nobody asked for taints the device: the run says so and keeps nothing after it', async () => {
  const watched = watch();
  watched.onEvent((event) => {
    if (event.type !== 'iteration' || event.metrics.iteration !== 2) return;
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE;
    watched.device!.handle.createBuffer({ label: 'wrong', size: 16, usage });
  });
  expect(await watched.finish()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('cannot be trusted'),
  });
  expect(watched.stored.every(({ run }) => run.iteration <= 2)).toBe(true);
});

/** An environment whose reward fails on tasks below a limit of 9. */
const failing = (limit: number) => `
export const meta = { title: 'Failing', task: 'None.', watch: 'Nothing.', rewards: { score: { description: \
'Score.', weight: 1 } }, options: [], alphabet: '0123456789', examples: [] };
export const tools = [{ name: 'probe', description: 'Probe.', parameters: {}, execute: () => 'a' }];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 9)), data: { n: rng.integer(0, 99) } });
export const reward = ({ task }) => ({ success: false, score: Number(task.prompt) < ${limit} ? Infinity : 0 });
`;
const runOf = (source: string) => ({
  ...tiny,
  environment: { name: 'failing', options: {}, source },
  rewards: {},
  iterations: 2,
  rollout: { ...tiny.rollout, tasks: 8 },
  warmStart: { ...tiny.warmStart, demonstrations: 0 },
});

test('a reward that is not finite fails its episodes and never reaches a metric', async () => {
  const watched = watch(runOf(failing(2)));
  expect(await watched.finish()).toEqual({ type: 'state', state: 'finished' });
  const failed = watched.of('iteration').map(({ metrics }) => metrics.environmentFailures);
  expect(Math.max(...failed)).toBeGreaterThan(0);
  expectNumbers(watched);
  const steps = watched
    .of('iteration')
    .flatMap(({ rollouts }) =>
      rollouts.filter(({ end }) => end === 'environment-failed').map(({ steps }) => steps.at(-1)!),
    );
  expect(new Set(steps.map(({ problem }) => problem))).toEqual(
    new Set(['TypeError: reward returned Infinity for score; it must be a finite number']),
  );
});

test('an environment that fails in more than half of the episodes ends the run with the reason', async () => {
  const watched = watch(runOf(failing(10)));
  expect(await watched.finish()).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(
      /^The environment failed in 32 of 32 episodes of iteration 1, so the run was stopped\. .*: TypeError: reward returned Infinity for score; it must be a finite number$/,
    ),
  });
});

test('a saved run whose environment then fails in more than half of the episodes can only start over', async () => {
  const watched = watch({ ...runOf(failing(5)), iterations: 20 });
  watched.onEvent((event) => {
    if (event.type === 'iteration' && event.metrics.iteration === 1) void watched.run.save();
  });
  const end = await watched.finish();
  expect(watched.stored, 'states that were saved').not.toEqual([]);
  expect(end).toMatchObject({
    state: 'failed',
    remedy: 'start-over',
    message: expect.stringMatching(/^The environment failed in \d+ of 32 episodes of iteration [2-9]/),
  });
});
