/** Papers: their citation graphs, what searching once leaves out, and how calls are paid. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment, type Played } from './open';

interface Paper {
  readonly title: string;
  readonly cites: string[];
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const dataOf = (task: Task) => task.data as unknown as { topic: string; papers: Paper[]; wanted: number };

beforeAll(async () => {
  environment = await OpenEnvironment.open('papers');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

async function playAll(split: string, policy: string) {
  const played: Played[] = [];
  for (const task of drawn.get(split)!)
    played.push(await environment.play(task, await environment.script(task, 1, policy)));
  const mean = (term: string) => played.reduce((sum, { terms }) => sum + terms[term], 0) / played.length;
  return { solved: mean('complete'), recall: mean('recall'), useless: mean('useless') };
}

describe('tasks', () => {
  test('training has at most eight papers on a topic, the other split more', () => {
    const wanted = (split: string) => new Set(drawn.get(split)!.map((task) => dataOf(task).wanted));
    expect([...wanted('train')].sort()).toEqual([3, 4, 5, 6, 7, 8]);
    expect([...wanted('validation')].sort()).toEqual([3, 4, 5, 6, 7, 8]);
    expect(wanted('out-of-distribution')).toEqual(new Set([9, 10]));
  });

  test('no task is in two splits, and task i depends on seed, split and i alone', async () => {
    expect(new Set(splits.flatMap((split) => drawn.get(split)!.map(({ id }) => id))).size).toBe(3 * count);
    expect(await environment.draw('train', 5, 5, {}, 10)).toEqual(drawn.get('train')!.slice(10, 15));
  });

  test('papers on another topic lead to none on the topic, and a paper cites three others', () => {
    for (const split of splits) {
      for (const task of drawn.get(split)!) {
        const { topic, papers } = dataOf(task);
        const isOn = (title: string) => title.startsWith(`${topic} `);
        for (const { title, cites } of papers) {
          expect(new Set(cites).size).toBe(3);
          expect(cites).not.toContain(title);
          if (!isOn(title)) expect(cites.some(isOn)).toBe(false);
        }
      }
    }
  });
});

describe('policies', () => {
  test.each(splits)(
    'following citations finds every paper of %s, and the oracle makes no useless call',
    async (split) => {
      expect(await playAll(split, 'oracle')).toEqual({ solved: 1, recall: 1, useless: 0 });
      expect(await playAll(split, 'thorough')).toMatchObject({ solved: 1, recall: 1 });
    },
  );

  test('one search is not enough, nor are papers taken at random', async () => {
    const { solved, recall } = await playAll('validation', 'one-search');
    expect(solved).toBe(0);
    expect(recall).toBeLessThan(0.55);
    expect((await playAll('validation', 'random')).solved).toBeLessThan(0.15);
  });
});

describe('calls', () => {
  const papers: Paper[] = [
    { title: 'moss 4', cites: ['snow 2', 'moss 1', 'snow 3'] },
    { title: 'moss 2', cites: [] },
    { title: 'moss 1', cites: ['moss 4'] },
    { title: 'snow 2', cites: ['snow 3', 'snow 1'] },
    { title: 'snow 3', cites: ['snow 2'] },
    { title: 'snow 1', cites: [] },
  ];
  const data = { topic: 'moss', wanted: 3, papers };
  const task = { id: 'one', prompt: 'find papers on moss', data } as unknown as Task;
  const search = { calls: [{ name: 'search', arguments: { topic: 'moss' } }] };
  const expand = (paper: string) => ({ calls: [{ name: 'expand', arguments: { paper } }] });
  const done = { answer: 'done' };

  test('a call lists the newest four papers not expanded yet, none on another topic before one on it', async () => {
    const turns = [search, search, expand('moss 4'), expand('snow 3'), expand('snow 1'), expand('snow 2')];
    expect((await environment.play(task, turns)).results).toEqual([
      'moss 4 , moss 2',
      'moss 4 , moss 2',
      'moss 2 , snow 2 , moss 1 , snow 3',
      'moss 2 , snow 2 , moss 1',
      'moss 2 , snow 2 , moss 1',
      'moss 2 , moss 1 , snow 1',
    ]);
  });

  test.each([
    ['all papers and an end', [search, expand('moss 4'), done], { complete: 1, recall: 1, useless: 0 }],
    ['all papers and no end', [search, expand('moss 4')], { complete: 0, recall: 1, useless: 0 }],
    ['too early an end', [search, done], { complete: 0, recall: 2 / 3, useless: 0 }],
    [
      'a paper that was not found yet and one twice',
      [expand('moss 1'), search, expand('moss 2'), expand('moss 2'), done],
      { complete: 0, recall: 2 / 3, useless: 2 },
    ],
  ])('%s', async (_, turns, terms) => {
    const played = await environment.play(task, turns);
    expect(played.terms).toEqual(terms);
    expect(played.success).toBe(terms.complete === 1);
  });

  test('the agent is shown what it was asked and the last list', async () => {
    const [user, first, last] = ['find papers on moss', 'moss 4 , moss 2', 'moss 2 , snow 2'].map((content, i) => ({
      role: i === 0 ? 'user' : 'tool',
      content,
    }));
    const call = { role: 'assistant', content: '', step: 0 };
    expect(await environment.ask('context', { messages: [user, call, first, call, last], state: {} })).toEqual([
      user,
      last,
    ]);
    expect(await environment.ask('context', { messages: [user], state: {} })).toEqual([user]);
  });

  test('each new find is paid for, and a call that could have none costs', async () => {
    const pay = async (tool: string, args: Record<string, string>, state: unknown) =>
      (
        await environment.ask<{ reward: number }>('execute', {
          tool,
          arguments: args,
          task: { ...task },
          state: state as never,
        })
      ).reward;
    const state = { found: ['moss 4', 'moss 2'], expanded: [], useless: 0 };
    expect(await pay('search', { topic: 'moss' }, null)).toBe(2);
    expect(await pay('search', { topic: 'moss' }, state)).toBe(-0.5);
    expect(await pay('expand', { paper: 'moss 1' }, state)).toBe(-0.5);
    expect(await pay('expand', { paper: 'moss 4' }, state)).toBe(1);
    expect(await pay('expand', { paper: 'moss 2' }, state)).toBe(0);
    expect(await pay('expand', { paper: 'moss 2' }, { ...state, expanded: ['moss 2'] })).toBe(-0.5);
    expect(await pay('expand', { paper: 'snow 2' }, { ...state, found: ['snow 2'] })).toBe(-0.5);
  });
});
