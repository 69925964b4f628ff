/**
 * What fewer searches than a question takes can reach: every search for one word or two of the question, as passages
 * put it, then every search for a word that a fixed rule takes from the first result, and every fixed rule for the
 * answer. None may beat a blind guess among the passages shown. Words that no question has are not tried: a search for
 * `early met` shows the older friend in three of five comparisons.
 */
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { search } from '../../src/environments/search.js';
import { OpenEnvironment } from './open';

interface World {
  readonly passages: string[];
  readonly shown: number;
  readonly hops: { query: string; found: string }[];
}

const worldOf = (task: Task) => task.data as unknown as World;
/** Of so many tasks, a policy that is right with chance 1/8 solves more than a fifth less than once in 10 000 draws. */
const count = 320;
/** Three standard deviations above one half, of so many tasks. */
const coinFlip = 0.5 + 3 * Math.sqrt(0.25 / count);

let environment: OpenEnvironment;
beforeAll(async () => {
  environment = await OpenEnvironment.open('multi-hop');
});

/** Searches one world, indexed once. */
function searcher({ passages, shown }: World): (query: string) => readonly string[] {
  const index = new MiniSearch({ fields: ['text'], tokenize: (text) => text.split(' ') });
  index.addAll(passages.map((text, id) => ({ id, text })));
  const known = new Map<string, string[]>();
  return (query) => {
    if (!known.has(query))
      known.set(
        query,
        index
          .search(query)
          .slice(0, shown)
          .map(({ id }) => passages[id as number]),
      );
    return known.get(query)!;
  };
}

/** Each word alone and beside each later one, under the names of their places in a question. */
function pairs(words: Readonly<Record<string, string>>): [rule: string, query: string][] {
  const entries = Object.entries(words);
  return entries.flatMap(([rule, word], i) => [
    [rule, word] as [string, string],
    ...entries.slice(i + 1).map(([otherRule, other]): [string, string] => [`${rule} ${otherRule}`, `${word} ${other}`]),
  ]);
}

/** The words that fixed rules take from a result. */
function taken(result: readonly string[]): [rule: string, word: string][] {
  return result.flatMap((passage, at) => {
    const told = passage.split(' ');
    return [
      [`first of ${at + 1}`, told[0]],
      [`last of ${at + 1}`, told.at(-1)!],
    ] as [string, string][];
  });
}

/** Follows the question's relations as far as these passages tell. */
function linked({ hops }: World, passages: readonly string[]): string {
  return hops.reduce((subject, { query }) => {
    const told = query.split(' ')[1];
    return (
      passages
        .find((passage) => passage.startsWith(`${subject} `) && passage.includes(` ${told} `))
        ?.split(' ')
        .at(-1) ?? ''
    );
  }, hops[0].query.split(' ')[0]);
}

/** How many tasks each policy of one search, or of two, solves. */
function solvedBy(
  tasks: readonly Task[],
  wordsOf: (task: Task) => Record<string, string>,
  searches: 1 | 2,
): [policy: string, share: number][] {
  const solved = new Map<string, number>();
  const credit = (policy: string) => solved.set(policy, (solved.get(policy) ?? 0) + 1);
  for (const task of tasks) {
    const world = worldOf(task);
    const look = searcher(world);
    const answer = world.hops.at(-1)!.found;
    const judge = (policy: string, last: readonly string[], all: readonly string[]) => {
      for (const [rule, word] of taken(last)) if (word === answer) credit(`${policy}: ${rule}`);
      if (linked(world, all) === answer) credit(`${policy}: linked`);
    };
    const words = wordsOf(task);
    for (const [rule, query] of pairs(words)) {
      const result = look(query);
      judge(rule, result, result);
      if (searches === 1) continue;
      for (const [found, word] of taken(result)) {
        for (const [next, beside] of [['', ''], ...Object.entries(words)]) {
          const second = look(`${word} ${beside}`.trim());
          judge(`${rule}, then ${found} ${next}`, second, [...result, ...second]);
        }
      }
    }
  }
  return [...solved]
    .map(([policy, times]): [string, number] => [policy, times / tasks.length])
    .sort((a, b) => b[1] - a[1]);
}

const wordsOfBridge = (task: Task) => {
  const { hops } = worldOf(task);
  return {
    name: hops[0].query.split(' ')[0],
    ...Object.fromEntries(hops.map(({ query }, i) => [`relation${i + 1}`, query.split(' ')[1]])),
  };
};

const wordsOfComparison = (task: Task) => ({
  ...Object.fromEntries(worldOf(task).hops.map(({ query }, i) => [`name${i + 1}`, query.split(' ')[0]])),
  met: 'met',
});

/** Bridges of this many hops. */
async function bridges(hops: number, seed: number, passages: number): Promise<Task[]> {
  const drawn = await environment.draw('validation', seed, 4 * count, { questions: 'bridge', passages });
  return drawn.filter((task) => worldOf(task).hops.length === hops).slice(0, count);
}

/** The tests of worlds of this many passages. */
export const describeShortcuts = (passages: number) =>
  describe(`with ${passages} passages`, () => {
    test('no search for words of a two-hop bridge beats a blind guess', async () => {
      const tasks = await bridges(2, 11, passages);
      const [[policy, share]] = solvedBy(tasks, wordsOfBridge, 1);
      expect(share, policy).toBeLessThanOrEqual(1 / passages);
    });

    test('no two searches for words of a three-hop bridge and what the first finds beat a blind guess', async () => {
      const tasks = await bridges(3, 12, passages);
      const shares = solvedBy(tasks, wordsOfBridge, 2);
      expect(shares[0][1], shares[0][0]).toBeLessThanOrEqual(1 / passages);
      const skipping = shares.filter(([policy]) => /^name relation[23], then last of/.test(policy));
      for (const [policy, share] of skipping) expect(share, policy).toBeLessThan(0.05);
    });

    test('one search for words of a comparison is at most a coin flip between two friends', async () => {
      const tasks = await environment.draw('validation', 14, count, { questions: 'comparison', passages });
      const [[policy, share]] = solvedBy(tasks, wordsOfComparison, 1);
      expect(share, policy).toBeLessThanOrEqual(coinFlip);
      // A reader that sees both friends knows the older: so no search may show the older one more often, either.
      const inSight = new Map<string, number>();
      for (const task of tasks) {
        const look = searcher(worldOf(task));
        for (const [rule, query] of pairs(wordsOfComparison(task))) {
          const seen = look(query).some((passage) => passage.endsWith(` met ${worldOf(task).hops[1].found}`));
          inSight.set(rule, (inSight.get(rule) ?? 0) + Number(seen) / count);
        }
      }
      for (const [rule, share] of inSight) expect(share, rule).toBeLessThanOrEqual(coinFlip);
    });

    test('a search reads two words of a query', async () => {
      for (const split of ['validation', 'out-of-distribution']) {
        for (const task of await environment.draw(split, 15, 16, { passages })) {
          const { passages: all, shown, hops } = worldOf(task);
          const query = hops.map((hop) => hop.query).join(' ');
          const { results } = await environment.play(task, [{ calls: [{ name: 'search', arguments: { query } }] }]);
          expect(results[0].split(' . ')).toEqual(search(all, query.split(' ').slice(0, 2).join(' '), shown));
        }
      }
    });
  });
