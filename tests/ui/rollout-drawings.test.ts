/** Drawings of rollouts: a recording's answers are fetched once, others are asked of the trainer once each. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Drawing } from '../../src/agent/drawing';
import { presetByName } from '../../src/config/presets';
import { packRecording } from '../../src/share/recording-file';
import type { TrainerClient } from '../../src/ui/trainer/trainer-client';
import { recordingOf, rollout } from '../helpers/displayed-run';

const drawing = (name: string) => ({ scenes: [], name }) as unknown as Drawing;
const { config } = presetByName('bandit');
const trainerOf = (draw: () => Promise<readonly Drawing[] | null>) => ({ api: { draw } }) as unknown as TrainerClient;

let module: typeof import('../../src/ui/state/run/drawings');
beforeEach(async () => {
  vi.resetModules();
  vi.doMock('virtual:world-scenes', () => ({ default: { bandit: 'bandit.json' } }));
  module = await import('../../src/ui/state/run/drawings');
});
afterEach(() => {
  vi.doUnmock('virtual:world-scenes');
  vi.unstubAllGlobals();
});

function serve(ok = true) {
  const answers = [[drawing('before'), drawing('halfway'), drawing('after')]];
  const fetched = vi.fn(async () => ({
    ok,
    json: async () => packRecording({ ...recordingOf('bandit'), answers } as never),
  }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

test('the drawing of a recorded answer is the one at its place, fetched once for all', async () => {
  const fetched = serve();
  const recording = recordingOf('bandit');
  const drawings = new module.Drawings();
  const ask = vi.fn();
  const [task] = recording.answers;
  const names = await Promise.all(task.map((answer) => drawings.of(answer, recording, ask)));
  expect(names).toMatchObject([{ name: 'before' }, { name: 'halfway' }, { name: 'after' }]);
  expect([fetched.mock.calls.length, ask.mock.calls.length]).toEqual([1, 0]);
});

test('a world that draws none, or whose file is gone, has no drawings', async () => {
  serve(false);
  expect(await module.answerDrawings('bandit')).toBeNull();
  expect(await module.answerDrawings('calculator')).toBeNull();
  expect(await module.answerDrawings('toString')).toBeNull();
});

test('any other rollout is asked of the trainer; without one its drawing is still to come', async () => {
  const drawings = new module.Drawings();
  const other = rollout(1, true, 'a');
  expect(await drawings.of(other, recordingOf('bandit'), async () => drawing('asked'))).toMatchObject({
    name: 'asked',
  });
  const waits = drawings.of(other, null, null).then(() => 'drawn');
  expect(await Promise.race([waits, Promise.resolve('waits')])).toBe('waits');
});

test('the trainer draws a rollout once, and again after a failure', async () => {
  const drawings = new module.Drawings();
  const one = rollout(1, true, 'a');
  expect(await drawings.ask(one, config, null), 'no trainer').toBeNull();
  const draw = vi.fn(async (): Promise<readonly Drawing[] | null> => Promise.reject(new Error('lost')));
  await expect(drawings.ask(one, config, trainerOf(draw))).rejects.toThrow('lost');
  draw.mockResolvedValue([drawing('drawn')]);
  expect(await drawings.ask(one, config, trainerOf(draw))).toMatchObject({ name: 'drawn' });
  expect(await drawings.ask(one, config, null), 'it is known').toMatchObject({ name: 'drawn' });
  expect(draw).toHaveBeenCalledTimes(2);
  draw.mockResolvedValue(null);
  expect(await drawings.ask(rollout(2, true, 'b'), config, trainerOf(draw))).toBeNull();
});

test('what is sent of a rollout leaves out its tokens, and its answer where it has none', () => {
  const step = { toolCalls: ['call'], rewards: { correct: 1 }, tokens: [1] };
  const whole = { ...rollout(1, true, 'a'), steps: [step] } as unknown as Parameters<typeof module.toDraw>[0];
  expect(module.toDraw(whole)).toEqual({
    iteration: 1,
    index: 0,
    group: 0,
    taskId: 't',
    success: true,
    steps: [{ toolCalls: ['call'], rewards: { correct: 1 } }],
  });
  expect(module.toDraw({ ...whole, answer: '7' }).answer).toBe('7');
});
