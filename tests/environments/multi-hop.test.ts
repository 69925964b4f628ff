/** Multi-hop questions: their splits, what one search can and cannot tell, and how the scripted policies fare. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn, EnvironmentDescription } from '../../src/agent/env';
import { fuelLimits } from '../../src/agent/sandbox';
import type { Json, Task } from '../../src/agent/types';
import { compact } from '../../src/text/tool-formats/compact';
import { wordTokenizer } from '../../src/text/word-tokenizer';
import { OpenEnvironment, type Played } from './open';

interface World {
  readonly form: 'bridge' | 'comparison';
  readonly passages: string[];
  readonly hops: { query: string; found: string }[];
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 128;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const worldOf = (task: Task) => task.data as unknown as World;
const answerOf = (task: Task) => worldOf(task).hops.at(-1)!.found;
const isComparison = (task: Task) => worldOf(task).form === 'comparison';
const takes = (searches: number) => (task: Task) => worldOf(task).hops.length === searches;

beforeAll(async () => {
  environment = await OpenEnvironment.open('multi-hop');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

async function playAll(
  split: string,
  policy?: string,
): Promise<{ task: Task; turns: DemonstrationTurn[]; played: Played }[]> {
  const episodes = [];
  for (const [i, task] of drawn.get(split)!.entries()) {
    const turns = await environment.script(task, i, policy);
    episodes.push({ task, turns, played: await environment.play(task, turns) });
  }
  return episodes;
}

const share = <T>(list: readonly T[], is: (each: T) => boolean) => list.filter(is).length / list.length;

describe('tasks', () => {
  test('task i depends on seed, split and i alone, and every world is another', async () => {
    const tasks = drawn.get('train')!;
    expect(await environment.draw('train', 5, 5, {}, 10)).toEqual(tasks.slice(10, 15));
    expect(await environment.draw('train', 6, 5)).not.toEqual(tasks.slice(0, 5));
    expect(new Set(splits.flatMap((split) => drawn.get(split)!.map(({ data }) => JSON.stringify(data)))).size).toBe(
      3 * count,
    );
  });

  test('no task is in two splits, whatever the seed', async () => {
    const seen = new Map<string, string>();
    for (const split of splits) {
      for (let seed = 0; seed < 8; seed++) {
        for (const { id } of await environment.draw(split, seed, 64)) expect(seen.get(id) ?? split, id).toBe(split);
        for (const { id } of await environment.draw(split, seed, 64)) seen.set(id, split);
      }
    }
  });

  test('bridges of one to three hops are trained and validated on, of four out of distribution', () => {
    for (const split of ['train', 'validation']) {
      const lengths = drawn.get(split)!.filter((task) => !isComparison(task));
      for (const searches of [1, 2, 3]) {
        expect(share(lengths, takes(searches))).toBeGreaterThan(0.2);
        expect(share(lengths, takes(searches))).toBeLessThan(0.47);
      }
      const compared = share(drawn.get(split)!, isComparison);
      expect(compared).toBeGreaterThan(0.15);
      expect(compared).toBeLessThan(0.36);
    }
    for (const task of drawn.get('out-of-distribution')!) {
      expect(worldOf(task).hops).toHaveLength(4);
      expect(task.prompt).toMatch(/^[a-z]+( 's [a-z]+){4} \?$/);
    }
  });

  test('idle words, whatever the searches, make some questions of training as long as those with a search more', () => {
    const words = ({ prompt }: Task) => prompt.split(' ').length;
    const far = words(drawn.get('out-of-distribution')![0]);
    const bridges = drawn.get('train')!.filter((task) => !isComparison(task));
    expect(share(bridges.filter(takes(3)), (task) => words(task) >= far)).toBeGreaterThan(0.1);
    for (const searches of [1, 2, 3]) {
      const idle = share(bridges.filter(takes(searches)), ({ prompt }) => / (please|if you know) \?$/.test(prompt));
      expect(idle).toBeGreaterThan(0.3);
      expect(idle).toBeLessThan(0.7);
    }
  });

  test('no question of validation is one of training, and they begin with the same names', async () => {
    const [train, validation] = await Promise.all(
      ['train', 'validation'].map(async (split) =>
        (await environment.draw(split, 3, 1024)).map(({ prompt }) => prompt.split(' ')),
      ),
    );
    const beginnings = (prompts: string[][]) => new Set(prompts.map((words) => words.slice(0, 3).join(' ')));
    const known = beginnings(train);
    for (const beginning of beginnings(validation)) expect(known).not.toContain(beginning);
    expect(new Set(validation.map(([name]) => name))).toEqual(new Set(train.map(([name]) => name)));
  });

  test('the answer never stands in the question', () => {
    for (const split of splits)
      for (const task of drawn.get(split)!) expect(task.prompt.split(' ')).not.toContain(answerOf(task));
  });

  test.each(['bridge', 'comparison'])('only %s questions on request', async (questions) => {
    const tasks = await environment.draw('validation', 1, 32, { questions });
    expect(share(tasks, isComparison)).toBe(questions === 'comparison' ? 1 : 0);
  });
});

describe('search', () => {
  const search = async (task: Task, query: string) => {
    const { results, fuel } = await environment.play(task, [{ calls: [{ name: 'search', arguments: { query } }] }]);
    return { passages: results[0].split(' . '), fuel };
  };

  test('each hop’s query brings up as many passages as are shown, the wanted one first', async () => {
    for (const passages of [3, 4, 5]) {
      for (const split of splits) {
        for (const task of await environment.draw(split, 2, 16, { passages })) {
          for (const { query, found } of worldOf(task).hops) {
            const result = await search(task, query);
            expect(result.passages).toHaveLength(passages);
            const told = result.passages[0].split(' ');
            expect(told).toEqual(expect.arrayContaining(query.split(' ')));
            if (!isComparison(task)) expect(told.at(-1)).toBe(found);
          }
        }
      }
    }
  });

  test('the question itself brings up no long bridge’s answer, a comparison’s only among other friends', async () => {
    for (const split of splits) {
      for (const task of drawn.get(split)!) {
        const { passages } = await search(task, task.prompt);
        if (!isComparison(task)) expect(passages.join(' ').split(' ').includes(answerOf(task))).toBe(takes(1)(task));
        else expect(passages).not.toEqual(worldOf(task).passages.filter((passage) => passage.includes(' met ')));
      }
    }
  });

  test('the older of two friends is asked for: each search tells one friend and when they met', async () => {
    const times = ['newly', 'later', 'early'];
    for (const task of await environment.draw('validation', 3, 64, { questions: 'comparison' })) {
      const told = await Promise.all(
        worldOf(task).hops.map(async ({ query }) => (await search(task, query)).passages[0]),
      );
      const friends = told.map((passage) => /^\w+ (\w+) met (\w+)$/.exec(passage)!);
      const [first, second] = friends.map(([, time]) => times.indexOf(time));
      expect(first).not.toBe(second);
      expect(friends[first > second ? 0 : 1][2]).toBe(answerOf(task));
    }
  });

  test('the first search alone never brings up what the second is for', async () => {
    for (const passages of [3, 4, 5]) {
      for (const split of splits) {
        for (const task of await environment.draw(split, 6, 32, { passages })) {
          const [first, second] = worldOf(task).hops;
          if (!second) continue;
          const told = (await search(task, second.query)).passages[0];
          expect((await search(task, first.query)).passages).not.toContain(told);
        }
      }
    }
  });

  test('one search for both relations of a bridge seldom brings up its answer', async () => {
    const drawn = await environment.draw('validation', 4, 288, { questions: 'bridge' });
    const bridges = drawn.filter(takes(2));
    let found = 0;
    for (const task of bridges) {
      const [first, second] = worldOf(task).hops;
      const { passages } = await search(task, `${first.query} ${second.query.split(' ')[1]}`);
      if (passages.join(' ').split(' ').includes(answerOf(task))) found++;
    }
    expect(found / bridges.length).toBeLessThan(0.35);
  });

  test('words that no passage has find nothing', async () => {
    expect((await search(drawn.get('train')![0], 'zebra ?')).passages).toEqual(['nothing found']);
  });

  test('a search burns less than an eighth of what it may', async () => {
    for (const task of drawn.get('out-of-distribution')!.slice(0, 32)) {
      expect((await search(task, task.prompt)).fuel).toBeLessThan(fuelLimits.call / 8);
    }
  });

  test('results are much longer than what the agent says', async () => {
    const { words, alphabet, tools } = await environment.ask<EnvironmentDescription>('describe', null);
    const tokenizer = wordTokenizer(words!, alphabet + compact.alphabet(tools));
    let said = 0;
    let shown = 0;
    for (const { turns, played } of await playAll('train', 'oracle')) {
      for (const turn of turns)
        said += (
          'answer' in turn
            ? compact.encodeAnswer(turn.answer, tokenizer)
            : compact.encodeCalls(turn.calls, tools, tokenizer)
        ).length;
      for (const result of played.results) shown += tokenizer.encode(result).length;
    }
    expect(shown / said).toBeGreaterThan(3);
  });
});

test('of a bridge the agent is shown what is left and the last result, of a comparison everything', async () => {
  const shown = (content: string, searches: number, rest: Json[]) =>
    environment.ask('context', { messages: [{ role: 'user', content }, ...rest], state: { searches } });
  const called = { role: 'assistant', content: 'bara writer', step: 0 };
  const said = { role: 'tool', content: 'bara has writer deno' };
  const left = (content: string) => ({ role: 'user', content });
  const bridge = "bara 's author 's home ?";
  expect(await shown(bridge, 0, [])).toEqual([left(bridge)]);
  expect(await shown(bridge, 1, [called, said])).toEqual([left("author 's home ?"), said]);
  for (const searches of [2, 3])
    expect(await shown(bridge, searches, [called, said, called, said])).toEqual([left('home ?'), said]);
  const comparison = "bara and kano 's older friend ?";
  expect(await shown(comparison, 1, [called, said])).toEqual([left(comparison), called, said]);
});

describe('scripted play', () => {
  test('the oracle solves everything, with no search wasted', async () => {
    for (const split of splits) {
      for (const { task, played } of await playAll(split, 'oracle')) {
        expect(played.terms).toEqual({ correct: 1, searches: worldOf(task).hops.length, wasted: 0 });
      }
    }
  });

  test('one search with the question, and a good reader, solve bridges of one hop and some comparisons', async () => {
    const episodes = [...(await playAll('train', 'naive-rag')), ...(await playAll('validation', 'naive-rag'))];
    for (const { task, played } of episodes) if (!isComparison(task)) expect(played.success).toBe(takes(1)(task));
    const compared = episodes.filter(({ task }) => isComparison(task));
    expect(share(compared, ({ played }) => played.success)).toBeGreaterThan(0.1);
    expect(share(compared, ({ played }) => played.success)).toBeLessThan(0.7);
    for (const { played } of await playAll('out-of-distribution', 'naive-rag')) expect(played.success).toBe(false);
  });

  test('no reader of that search does better than half of the comparisons', async () => {
    const episodes = await playAll('validation', 'any-reader');
    for (const { task, played } of episodes) if (!isComparison(task)) expect(played.success).toBe(takes(1)(task));
    const compared = episodes.filter(({ task }) => isComparison(task));
    expect(share(compared, ({ played }) => played.success)).toBeLessThan(0.7);
    for (const { played } of await playAll('out-of-distribution', 'any-reader')) expect(played.success).toBe(false);
  });

  test('a random player solves next to nothing', async () => {
    expect(share(await playAll('validation', 'random'), ({ played }) => played.success)).toBeLessThan(0.1);
  });

  test('some demonstrations search until they know; the others answer after one search', async () => {
    const episodes = (await playAll('train')).filter(({ task }) => !takes(1)(task));
    const isCareful = ({ turns }: (typeof episodes)[number]) => turns.length > 2;
    for (const { task, turns, played } of episodes) {
      const { hops } = worldOf(task);
      if (turns.length > 2) expect([turns.length, played.success]).toEqual([hops.length + 1, true]);
      else
        expect(turns).toEqual([
          { calls: [{ name: 'search', arguments: { query: hops[0].query } }] },
          { answer: hops[0].found },
        ]);
    }
    const [compared, followed] = [true, false].map((is) => episodes.filter(({ task }) => isComparison(task) === is));
    expect(share(compared, isCareful)).toBeGreaterThan(0.5);
    expect(share(followed, isCareful)).toBeGreaterThan(0.05);
    expect(share(followed, isCareful)).toBeLessThan(0.3);
    // A hasty teacher is right by luck alone: of two friends it names the first.
    const lucky = episodes.filter((episode) => !isCareful(episode) && episode.played.success);
    for (const { task } of lucky) expect(isComparison(task)).toBe(true);
  });
});

describe('reward', () => {
  const call = (query: string) => ({ calls: [{ name: 'search', arguments: { query } }] });

  test('needed searches count once; empty, repeated and failed ones are wasted; others are neither', async () => {
    const task = drawn.get('train')![0];
    const [first, second] = worldOf(task).hops;
    const other = worldOf(task)
      .passages.flatMap((passage) => passage.split(' ')[0])
      .find((word) => word !== first.query && word !== second.query)!;
    const turns = [
      call(first.query),
      call(` ${first.query}`),
      call('zebra'),
      call(other),
      call(second.query),
      { answer: ` ${second.found} ` },
    ];
    expect((await environment.play(task, turns)).terms).toEqual({ correct: 1, searches: 2, wasted: 2 });
  });

  test.each([
    ['', 0],
    ['bara bara', 0],
  ])('the answer %j is wrong', async (answer, correct) => {
    expect((await environment.play(drawn.get('train')![0], [{ answer }])).terms.correct).toBe(correct);
  });

  test('no answer earns nothing', async () => {
    expect((await environment.play(drawn.get('train')![0], [])).terms).toEqual({ correct: 0, searches: 0, wasted: 0 });
  });
});

test('its words are exactly those of its texts', async () => {
  const { words, alphabet } = await environment.ask<EnvironmentDescription>('describe', null);
  const texts = ['nothing found'];
  for (const split of splits) {
    for (const task of await environment.draw(split, 9, 256, { passages: 5 }))
      texts.push(task.prompt, worldOf(task).passages.slice(0, 5).join(' . '), ...worldOf(task).passages);
  }
  expect([...words!].sort()).toEqual([...new Set(texts.join(' ').split(' '))].sort());
  expect(alphabet).toBe([...new Set(texts.join(' '))].sort().join(''));
});

test('its examples are questions as it asks them', async () => {
  const { examples, words } = await environment.ask<EnvironmentDescription>('describe', null);
  for (const word of examples.join(' ').split(' ')) expect(words).toContain(word);
});
