/** A help desk: its splits, what a request can be, what shortcuts reach, and what asking and citing are worth. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn } from '../../src/agent/env';
import type { Json, Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Passage {
  readonly name: string;
  readonly who: string;
  readonly told: string;
  readonly value: string;
  readonly number: number;
}

interface Desk {
  readonly kind: 'clear' | 'ambiguous' | 'unknown';
  readonly name: string;
  readonly who: string;
  readonly told: string;
  readonly named: boolean;
  readonly passages: readonly Passage[];
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 160;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const deskOf = (task: Task) => task.data as unknown as Desk;
const found = (task: Task) => deskOf(task).passages.filter(({ name }) => name === deskOf(task).name);
const fitting = (task: Task) => found(task).filter(({ told }) => told === deskOf(task).told);
const search = (query: string) => ({ calls: [{ name: 'search', arguments: { query } }] });
const ask = { calls: [{ name: 'ask', arguments: {} }] };

beforeAll(async () => {
  environment = await OpenEnvironment.open('assistant');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

/** Shares of a split's tasks, by kind, that a policy solves. */
async function solved(split: string, policy: string): Promise<Record<string, number>> {
  const played: Record<string, boolean[]> = {};
  for (const [i, task] of drawn.get(split)!.entries())
    (played[deskOf(task).kind] ??= []).push(
      (await environment.play(task, await environment.script(task, i, policy))).success,
    );
  return Object.fromEntries(
    Object.entries(played).map(([kind, successes]) => [kind, successes.filter(Boolean).length / successes.length]),
  );
}

describe('tasks', () => {
  test('no task is in two splits', () => {
    expect(new Set(splits.flatMap((split) => drawn.get(split)!.map(({ id }) => id))).size).toBe(3 * count);
  });

  test.each(splits)('the passages of %s decide the kind of a request', (split) => {
    for (const task of drawn.get(split)!) {
      const { kind, who, named } = deskOf(task);
      expect(task.prompt.includes(` ${who} `)).toBe(named);
      const right = fitting(task).filter((passage) => !named || passage.who === who);
      if (kind === 'ambiguous') expect(new Set(right.map((passage) => passage.who)).size).toBeGreaterThan(1);
      else expect(right).toHaveLength(kind === 'clear' ? 1 : 0);
      expect(new Set(found(task).map(({ value }) => value)).size).toBe(found(task).length);
    }
  });

  test('training has at most four of a name, the other split five', () => {
    const many = (split: string) =>
      new Set(drawn.get(split)!.map((task) => new Set(found(task).map(({ who }) => who)).size));
    expect(many('train')).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(many('validation')).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(many('out-of-distribution')).toEqual(new Set([5]));
  });

  test('two to four of a name are in requests of every kind', () => {
    for (const kind of ['clear', 'ambiguous', 'unknown']) {
      const tasks = drawn.get('train')!.filter((task) => deskOf(task).kind === kind);
      const many = new Set(tasks.map((task) => new Set(found(task).map(({ who }) => who)).size));
      expect([...many]).toEqual(expect.arrayContaining([2, 3, 4]));
    }
  });
});

describe('policies', () => {
  test.each(splits)('the oracle solves every task of %s, a random policy few', async (split) => {
    expect(await solved(split, 'oracle')).toEqual({ clear: 1, ambiguous: 1, unknown: 1 });
    const random = await solved(split, 'random');
    expect(Math.max(...Object.values(random))).toBeLessThan(0.15);
  });

  test('each habit fails where it is bad', async () => {
    expect(await solved('train', 'never-asks')).toEqual({ clear: 1, ambiguous: 0, unknown: 1 });
    expect(await solved('train', 'never-admits')).toEqual({ clear: 1, ambiguous: 1, unknown: 0 });
    expect(await solved('train', 'always-asks')).toEqual({ clear: 0, ambiguous: 1, unknown: 0 });
    const first = await solved('train', 'cites-first');
    expect(first.unknown).toBe(1);
    expect(first.clear).toBeLessThan(0.2);
    expect(first.ambiguous).toBeLessThan(0.2);
  });
});

describe('what a search shows first', () => {
  const shown = async (task: Task) => {
    const [{ calls }] = (await environment.script(task, 1, 'oracle')) as { calls: readonly { arguments: Json }[] }[];
    const { results } = await environment.play(task, [{ calls: [{ name: 'search', arguments: calls[0].arguments }] }]);
    return results[0] === 'nothing found' ? 0 : results[0].split(' . ').length;
  };

  test('does not tell the kind of a request by how many passages there are', async () => {
    const counts: Record<string, Set<number>> = { clear: new Set(), ambiguous: new Set(), unknown: new Set() };
    for (const task of drawn.get('train')!) counts[deskOf(task).kind].add(await shown(task));
    expect(counts).toEqual({
      clear: new Set([1]),
      ambiguous: new Set([2, 3, 4]),
      unknown: new Set([0, 1, 2, 3, 4]),
    });
  });

  test('is of one topic, so that only the request tells a wrong one', () => {
    for (const task of drawn.get('train')!.filter((each) => deskOf(each).kind !== 'clear'))
      expect(new Set(found(task).map(({ told }) => told)).size).toBeLessThan(2);
  });

  test('the reflex, which counts them, is wrong where the file does not tell', async () => {
    const { clear, ambiguous, unknown } = await solved('train', 'reflex');
    expect({ clear, ambiguous }).toEqual({ clear: 1, ambiguous: 1 });
    expect(unknown).toBeLessThan(0.4);
  });
});

describe('an episode', () => {
  const passages = [
    { name: 'bara', who: 'the baker', told: 'home', value: 'mill', number: 1 },
    { name: 'deno', who: 'in york', told: 'opening', value: 'noon', number: 2 },
    { name: 'bara', who: 'the nurse', told: 'home', value: 'quay', number: 3 },
  ];
  const make = (prompt: string, desk: Omit<Desk, 'passages' | 'named'>): Task =>
    ({ id: 'one', prompt, data: { ...desk, named: false, passages } }) as unknown as Task;
  const tasks = {
    clear: make('opening of deno ?', { kind: 'clear', name: 'deno', who: 'in york', told: 'opening' }),
    ambiguous: make('home of bara ?', { kind: 'ambiguous', name: 'bara', who: 'the nurse', told: 'home' }),
    unknown: make('office of bara ?', { kind: 'unknown', name: 'bara', who: 'the nurse', told: 'office' }),
  };
  const none = { right: 0, cited: 0, asked: 0, needless: 0, wrong: 0 };

  test('a search shows what fits best about a name, a question who is meant', async () => {
    const queries = ['home bara', 'home bara the nurse', 'lunch bara', 'home', 'home kano'];
    const { results } = await environment.play(tasks.ambiguous, [ask, ...queries.map(search)]);
    const both = 'bara the baker home mill [1] . bara the nurse home quay [3]';
    expect(results).toEqual([
      'the nurse',
      both,
      'bara the nurse home quay [3]',
      both,
      'nothing found',
      'nothing found',
    ]);
  });

  test.each<[keyof typeof tasks, DemonstrationTurn[], boolean, Record<string, number>]>([
    ['clear', [{ answer: 'noon [2]' }], true, { right: 1, cited: 1 }],
    ['clear', [{ answer: 'noon [1]' }], false, { right: 1 }],
    ['clear', [{ answer: 'noon' }], false, { right: 1 }],
    ['clear', [ask, { answer: 'noon [2]' }], false, { right: 1, cited: 1, needless: 1 }],
    ['clear', [{ answer: 'noon quay [2]' }], false, { wrong: 1 }],
    ['clear', [{ answer: 'unknown' }], false, {}],
    ['clear', [], false, {}],
    ['ambiguous', [ask, { answer: 'quay [3]' }], true, { right: 1, cited: 1, asked: 1 }],
    ['ambiguous', [ask, ask, { answer: 'quay [3]' }], false, { right: 1, cited: 1, asked: 1, needless: 1 }],
    ['ambiguous', [ask, { answer: 'mill [1]' }], false, { asked: 1, wrong: 1 }],
    ['ambiguous', [{ answer: 'quay [3]' }], false, { right: 1, cited: 1 }],
    ['unknown', [{ answer: 'unknown' }], true, { right: 1 }],
    ['unknown', [ask, { answer: 'unknown' }], false, { right: 1, needless: 1 }],
    ['unknown', [{ answer: 'quay [3]' }], false, { wrong: 1 }],
  ])('%s %j', async (kind, turns, success, terms) => {
    const played = await environment.play(tasks[kind], [search(tasks[kind].prompt), ...turns]);
    expect(played).toMatchObject({ success, terms: { ...none, ...terms } });
  });
});
