/** Recorded runs are fetched once, and one that is missing, of another preset or of another format is none. */
import { afterEach, expect, test, vi } from 'vitest';
import { packRecording } from '../../src/share/recording-file';
import { Recordings, Replay } from '../../src/ui/state/run/recordings.svelte';
import { recordingOf, rollout } from '../helpers/displayed-run';

afterEach(() => void vi.unstubAllGlobals());

function answer(body: unknown, ok = true) {
  const fetched = vi.fn(async (_url: string) => ({ ok, json: async () => body }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

test('a recording is fetched once, and its rollouts are in the order of their iterations', async () => {
  const rollouts = [3, 1, 2, 1].map((iteration, i) => rollout(iteration, true, `asked ${i}`));
  const fetched = answer(packRecording({ ...recordingOf('bandit'), rollouts }));
  const recordings = new Recordings('/recordings/');
  expect(recordings.of('bandit')).toBeUndefined();
  await Promise.all([recordings.ask('bandit'), recordings.ask('bandit')]);
  await recordings.ask('bandit');
  expect(fetched.mock.calls).toEqual([['/recordings/bandit.json']]);
  const prompts = recordings.of('bandit')!.rollouts.map(({ prompt }) => prompt);
  expect(prompts).toEqual(['asked 1', 'asked 3', 'asked 2', 'asked 0']);
});

const whole = packRecording(recordingOf('bandit'));
test.each<[string, unknown, boolean?]>([
  ['a file that is missing', whole, false],
  ['another preset', packRecording(recordingOf('sokoban'))],
  ['another format', { ...whole, format: 1 }],
  ['no recording', { format: 2 }],
])('%s is no recording', async (_, body, ok) => {
  answer(body, ok);
  const recordings = new Recordings('/recordings/');
  await recordings.ask('bandit');
  expect(recordings.of('bandit')).toBeNull();
});

test('what was asked for is waited for', async () => {
  let respond = (_: object) => {};
  vi.stubGlobal('fetch', () => new Promise((resolve) => (respond = resolve)));
  const recordings = new Recordings('/recordings/');
  void recordings.ask('bandit');
  let isSettled = false;
  const settled = recordings.settled().then(() => (isSettled = true));
  await Promise.resolve();
  expect(isSettled).toBe(false);
  respond({ ok: false });
  await settled;
  expect(recordings.of('bandit')).toBeNull();
});

test('a replay shows the rollouts of the iterations that it has shown, and stops at its end', () => {
  vi.useFakeTimers();
  try {
    const replay = new Replay(() => recordingOf('bandit'));
    expect([replay.total, replay.metrics, replay.rollouts]).toEqual([3, [], []]);
    replay.shown = 1;
    expect(replay.rollouts.map(({ iteration }) => iteration)).toEqual([1]);
    replay.play(false);
    expect([replay.playing, replay.shown], 'it goes on from there').toEqual([true, 1]);
    vi.advanceTimersByTime(12_000);
    expect([replay.playing, replay.shown, replay.rollouts.length]).toEqual([false, 3, 2]);
    replay.play(false);
    expect(replay.shown, 'from its beginning after its end').toBe(0);
    vi.advanceTimersByTime(80);
    expect(replay.shown).toBe(1);
    replay.rewind();
    vi.advanceTimersByTime(12_000);
    expect([replay.playing, replay.shown]).toEqual([false, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('without a recording nothing is played, and only a known lack of one is missing', () => {
  const none = new Replay(() => null);
  none.play(true);
  expect([none.playing, none.shown, none.rollouts, none.missing]).toEqual([false, 0, [], true]);
  expect(new Replay(() => undefined).missing).toBe(false);
});
