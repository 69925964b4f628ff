/** Which rollouts are listed and which is read: by crosshair, pick, filter, and at the end of a run. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { Reading } from '../../src/ui/view/rollouts/reading.svelte';
import { largestAdvantage, linesOf, rowsToRender } from '../../src/presentation/rollout-list';
import { rollout } from '../helpers/displayed-run';

const at = (iteration: number, index: number, more: Partial<RolloutView> = {}): RolloutView => ({
  ...rollout(iteration, index % 2 === 0, `asked ${index >> 1}`),
  taskId: `t${index >> 1}`,
  group: index >> 1,
  index,
  reward: index % 2 === 0 ? 1 : 0,
  ...more,
});
/** Two tasks with two rollouts each, in iterations 2, 4 and 6. */
const rollouts = [2, 4, 6].flatMap((iteration) => [0, 1, 2, 3].map((index) => at(iteration, index)));
const find = (iteration: number, index: number) =>
  rollouts.find((each) => each.iteration === iteration && each.index === index)!;
const answer = at(7, 9);

let page: {
  rollouts: readonly RolloutView[];
  cursor: number | null;
  recordedPreset: string | null;
  isFinished: boolean;
  solvedAnswer: RolloutView | null;
  wantedRollout: string | null;
};
let onPick: ReturnType<typeof vi.fn<() => void>>;
let reading: Reading;

beforeEach(() => {
  page = { rollouts, cursor: null, recordedPreset: null, isFinished: false, solvedAnswer: null, wantedRollout: null };
  onPick = vi.fn<() => void>();
  reading = new Reading(page, onPick);
});

test('without a crosshair or a pick the latest iteration is listed', () => {
  expect(reading.iterations).toEqual([2, 4, 6]);
  expect([reading.latest, reading.iteration, reading.followsLatest]).toEqual([6, 6, true]);
  expect(new Set(reading.chosen.map(({ iteration }) => iteration))).toEqual(new Set([6]));
  expect(reading.kept).not.toBeNull();
});

test('no rollouts are no iteration', () => {
  page.rollouts = [];
  expect([reading.latest, reading.iteration, reading.kept]).toEqual([null, null, null]);
  expect([reading.chosen, reading.group, reading.batch]).toEqual([[], [], []]);
  reading.move(1);
  expect(onPick).not.toHaveBeenCalled();
});

describe('the crosshair', () => {
  test('lists the nearest iteration that has rollouts, and ends a pick', () => {
    reading.pick(find(6, 1));
    reading.show(4);
    expect([reading.cursor, reading.picked, reading.iteration, reading.followsLatest]).toEqual([4, null, 4, false]);
    expect(new Set(reading.chosen.map(({ iteration }) => iteration))).toEqual(new Set([4]));
    reading.show(null);
    expect([reading.iteration, reading.followsLatest]).toEqual([6, true]);
  });

  test('reads the counterpart of a pick in its iteration', () => {
    reading.pick(find(6, 3));
    expect([reading.shown, reading.iteration, reading.followsLatest]).toEqual([find(6, 3), 6, false]);
    page.cursor = 4;
    expect(reading.shown, 'the first of its task').toEqual(find(4, 2));
    page.cursor = 6;
    expect(reading.shown).toEqual(find(6, 3));
  });

  test('leaves a pick where all iterations are listed', () => {
    reading.choice.everything = true;
    reading.pick(find(6, 3));
    page.cursor = 2;
    expect(reading.shown).toEqual(find(6, 3));
    expect(reading.kept).toBeNull();
    expect(reading.chosen).toHaveLength(12);
  });
});

test('a pick has beside it the rollouts of its task, and those of its iteration', () => {
  reading.pick(find(4, 2));
  expect(onPick).toHaveBeenCalledOnce();
  expect(reading.iteration).toBe(4);
  expect(reading.group).toEqual([find(4, 2), find(4, 3)]);
  expect(reading.batch).toEqual([0, 1, 2, 3].map((index) => find(4, index)));
});

test('moving picks the next row and stops at both ends', () => {
  const order = reading.lines.flatMap((line) => (line.kind === 'rollout' ? [line.rollout] : []));
  expect(order).toHaveLength(4);
  reading.move(1);
  expect(reading.picked, 'nothing is read yet').toEqual(order[0]);
  for (const expected of [1, 2, 3, 3]) {
    reading.move(1);
    expect(reading.picked).toEqual(order[expected]);
  }
  reading.move(-10);
  expect(reading.picked).toEqual(order[0]);
});

describe('a filter', () => {
  test('by expression leaves what it says, and no expression leaves all', () => {
    expect(reading.filter).toBeNull();
    reading.choice.expression = '   ';
    expect(reading.filter).toBeNull();
    reading.choice.expression = 'reward > 0.5';
    expect(reading.chosen.map(({ index }) => index).sort()).toEqual([0, 2]);
    reading.showAll();
    expect(reading.filter).toBeNull();
    expect(reading.chosen).toHaveLength(4);
  });
});

describe('a finished run', () => {
  beforeEach(() => {
    page.isFinished = true;
    page.solvedAnswer = answer;
  });

  test('reads its answer to a new task until something is picked, or the crosshair is moved', () => {
    expect([reading.isAnswer, reading.shown, reading.group]).toEqual([true, answer, []]);
    page.cursor = 4;
    expect(reading.isAnswer).toBe(false);
    page.cursor = null;
    reading.pick(find(6, 0));
    expect([reading.isAnswer, reading.shown]).toEqual([false, find(6, 0)]);
  });

  test('without an answer reads a rollout', () => {
    page.solvedAnswer = null;
    expect(reading.isAnswer).toBe(false);
  });

  test('moves from its answer to the first row', () => {
    reading.move(1);
    expect(reading.picked).toEqual(reading.chosen[0]);
  });

  test('names the tasks of its last iteration at which most rollouts fail, and no run before its end does', () => {
    page.rollouts = [
      at(4, 0, { success: false }),
      at(4, 1),
      at(6, 0, { success: false }),
      at(6, 1),
      at(6, 2),
      at(6, 3, { success: true }),
    ];
    expect(reading.failing.map(({ rollout, failed, count }) => [rollout.group, failed, count])).toEqual([[0, 2, 2]]);
    expect(reading.failing[0].rollout.iteration).toBe(6);
    page.isFinished = false;
    expect(reading.failing).toEqual([]);
  });
});

describe('without a pick', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const newer = [at(8, 0), at(8, 1)];
  /** The first is read, and newer ones have come. */
  const wait = () => {
    reading.offerNewest();
    const before = reading.shown;
    page.rollouts = [...rollouts, ...newer];
    return { before, stop: reading.offerNewest() };
  };

  test('the first of the newest iteration is read, each for two and a half seconds', () => {
    const { before } = wait();
    expect(before).toEqual(find(6, 0));
    vi.advanceTimersByTime(2499);
    expect(reading.shown).toEqual(before);
    vi.advanceTimersByTime(1);
    expect(reading.shown).toEqual(newer[0]);
  });

  test('what it was read before newer ones came counts, too', () => {
    reading.offerNewest();
    vi.advanceTimersByTime(1000);
    const { before } = wait();
    vi.advanceTimersByTime(1499);
    expect(reading.shown).toEqual(before);
    vi.advanceTimersByTime(1);
    expect(reading.shown).toEqual(newer[0]);
  });

  test('one that was read for long makes room at once', () => {
    reading.offerNewest();
    vi.advanceTimersByTime(2500);
    page.rollouts = [...rollouts, ...newer];
    expect(reading.offerNewest()).toBeUndefined();
    expect(reading.shown).toEqual(newer[0]);
  });

  test('nothing changes after the list has gone', () => {
    const { before, stop } = wait();
    stop!();
    vi.advanceTimersByTime(9999);
    expect(reading.shown).toEqual(before);
  });

  test('one of another run makes room at once, and so does one that the crosshair has left', () => {
    reading.offerNewest();
    page.rollouts = newer;
    reading.offerNewest();
    expect(reading.shown).toEqual(newer[0]);
    page.rollouts = [...rollouts, ...newer];
    page.cursor = 2;
    reading.offerNewest();
    expect(reading.shown).toEqual(find(2, 0));
  });

  test('a filter that leaves none takes nothing away; a run without rollouts does', () => {
    reading.offerNewest();
    reading.choice.expression = 'reward > 5';
    reading.offerNewest();
    expect(reading.shown).toEqual(find(6, 0));
    page.rollouts = [];
    reading.offerNewest();
    expect(reading.shown).toBeNull();
  });
});

describe('the rollout that the address names', () => {
  test('is picked once the recorded run is there', () => {
    page.wantedRollout = '4/2';
    reading.openWanted();
    expect([reading.picked, page.wantedRollout]).toEqual([null, '4/2']);
    page.recordedPreset = 'bandit';
    reading.openWanted();
    expect([reading.picked, page.wantedRollout, reading.missing]).toEqual([find(4, 2), null, null]);
  });

  test('is missing where the recorded run has none of that key', () => {
    page.wantedRollout = '9/9';
    page.recordedPreset = 'bandit';
    reading.openWanted();
    expect([reading.picked, page.wantedRollout, reading.missing]).toEqual([null, null, '9/9']);
  });
});

test('a pick ends with its run: when another has begun, and not when older rollouts were thinned out', () => {
  reading.pick(find(4, 2));
  reading.leaveOldRun();
  page.rollouts = rollouts.filter(({ iteration }) => iteration !== 4);
  reading.leaveOldRun();
  expect(reading.picked).toEqual(find(4, 2));
  page.rollouts = [at(1, 0)];
  reading.leaveOldRun();
  expect(reading.picked).toBeNull();
});

test('the longest bar of the list is its largest advantage, better or worse', () => {
  const of = (...advantages: number[]) =>
    largestAdvantage(
      linesOf(
        advantages.map((advantage, i) => at(2, i, { advantage })),
        true,
      ),
    );
  expect([of(0.25, -0.5), of(3, 1), of(0, 0), of()]).toEqual([0.5, 3, 1, 1]);
});

describe('a long list', () => {
  const rows = (active: number) => rowsToRender(1000, 3000, 300, 30, active);

  test('is drawn about what is in sight, with the row that has the focus', () => {
    const seen = Array.from({ length: 34 }, (_, i) => 88 + i);
    expect(rows(-1)).toEqual(seen);
    expect([rows(88), rows(121)]).toEqual([seen, seen]);
    expect(rows(87)).toEqual([87, ...seen]);
    expect(rows(122)).toEqual([...seen, 122]);
    expect(rows(0)).toEqual([0, ...seen]);
    expect(rows(999)).toEqual([...seen, 999]);
    expect(rows(1000), 'a row that is gone').toEqual(seen);
    expect(rowsToRender(1000, 0, 300, 30, -1)[0]).toBe(0);
    expect(rowsToRender(1000, 29_800, 300, 30, -1).at(-1)).toBe(999);
  });

  test('is drawn whole where it is short', () => {
    expect(rowsToRender(200, 3000, 30, 30, -1)).toHaveLength(200);
    expect(rowsToRender(201, 0, 30, 30, -1).length).toBeLessThan(200);
  });
});
