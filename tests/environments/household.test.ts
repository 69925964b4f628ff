/** The household: houses, what each tool does and refuses, and how far careless helpers get. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface House {
  readonly thing: string;
  readonly made: string;
  readonly places: string[];
  readonly things: Record<string, string>;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 48;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const houseOf = (task: Task) => task.data as unknown as House;
const argument: Record<string, string> = { go: 'place', take: 'thing', put: 'place' };
/** `go shelf` and the like. */
const calls = (...texts: string[]) =>
  texts.map((text) => {
    const [name, given] = text.split(' ');
    return { calls: [{ name, arguments: given === undefined ? {} : { [argument[name]]: given } }] };
  });

beforeAll(async () => {
  environment = await OpenEnvironment.open('household');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

/** Share of a split's tasks that a policy solves, or the demonstrations do. */
async function solved(split: string, policy?: string, which = (_: Task) => true): Promise<number> {
  const tasks = drawn.get(split)!.filter(which);
  let sum = 0;
  for (const [i, task] of tasks.entries())
    sum += Number((await environment.play(task, await environment.script(task, i, policy))).success);
  return sum / tasks.length;
}

describe('tasks', () => {
  test('the thing is in any of three places, of which two are a pair in the other split alone', () => {
    const pairs = ['shelf rack', 'drawer box', 'cabinet locker', 'chest trunk', 'basket crate'];
    for (const split of splits) {
      const found = drawn.get(split)!.map((task) => {
        const { places, things, thing } = houseOf(task);
        expect(new Set(places).size).toBe(3);
        const whole = pairs.filter((pair) => pair.split(' ').every((place) => places.includes(place)));
        expect(whole).toHaveLength(split === 'out-of-distribution' ? 1 : 0);
        expect(Object.values(things).sort()).toEqual([...places].sort());
        return places.indexOf(things[thing]);
      });
      expect([...new Set(found)].sort()).toEqual([0, 1, 2]);
    }
  });
});

describe('policies', () => {
  test.each(splits)('in %s only a patient and careful helper solves every task', async (split) => {
    expect(await solved(split, 'oracle')).toBe(1);
    expect(await solved(split, 'random')).toBeLessThan(0.1);
    expect(await solved(split)).toBeLessThan(0.45);
    expect(await solved(split, 'forgetful', (task) => houseOf(task).made !== '')).toBe(0);
  });
});

describe('calls', () => {
  const task = {
    id: 't',
    prompt: 'put a hot fish on the bed',
    data: {
      thing: 'fish',
      made: 'hot',
      goal: 'bed',
      places: ['shelf', 'box'],
      closed: ['box'],
      things: { cup: 'shelf', fish: 'box' },
    },
  } as unknown as Task;
  const play = (...texts: string[]) => environment.play(task, calls(...texts));

  test('a way that leads to the goal', async () => {
    expect(await play('go shelf', 'go box', 'open', 'take fish', 'heat', 'put bed')).toEqual({
      results: ['cup', 'closed', 'fish', 'took fish', 'fish is hot', 'fish on bed'],
      success: true,
      terms: { arranged: 1, found: 1, made: 1, refused: 0 },
      fuel: expect.any(Number),
    });
  });

  test('neither cold nor elsewhere is as wanted; what was put down can be taken again', async () => {
    const taken = ['go box', 'open', 'take fish'];
    expect((await play(...taken, 'put bed')).terms).toEqual({ arranged: 0, found: 1, made: 0, refused: 0 });
    expect((await play(...taken, 'heat', 'cool', 'put bed')).success).toBe(false);
    expect((await play(...taken, 'heat', 'put desk')).success).toBe(false);
    expect((await play(...taken, 'put bed', 'take fish', 'heat', 'put bed')).success).toBe(true);
  });

  test.each([[['take fish']], [['go box', 'take fish']], [['go shelf', 'take fish']]])(
    'to reach for what is not in sight is no mistake: %j',
    async (texts) => {
      const { results, terms } = await play(...texts);
      expect(results.at(-1)).toBe('not here');
      expect(terms).toEqual({ arranged: 0, found: 0, made: 0, refused: 0 });
      expect((await play(...texts, 'go box', 'open', 'take fish', 'heat', 'put bed')).success).toBe(true);
    },
  );

  test.each([
    ['no such place', ['go moon']],
    ['go somewhere first', ['open']],
    ['hands are empty', ['heat']],
    ['hands are empty', ['put bed']],
    ['hands are full', ['go shelf', 'take cup', 'take cup']],
    ['closed', ['go shelf', 'take cup', 'put box']],
  ])('%s: %j', async (text, texts) => {
    const { results, terms } = await play(...texts);
    expect(results.at(-1)).toContain(text);
    expect(terms.refused).toBe(1);
  });
});

test.each([
  ['shelf', { at: 'shelf' }],
  ['box closed', { at: 'box' }],
  ['took fish', { at: 'box', things: { fish: 'hand' } }],
  ['took hot', { at: 'box', things: { fish: 'hand' }, made: { fish: 'hot' } }],
])('two words stand for what happened: %s', async (words, state) => {
  const whole = { closed: ['box'], things: { fish: 'box' }, made: {}, ...state };
  expect(await environment.ask('summary', { messages: [], state: whole })).toBe(words);
});
