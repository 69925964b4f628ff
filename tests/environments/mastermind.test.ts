/** Mastermind: what a guess tells, the fewest guesses there can be, and that whoever forgets answers often fails. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { DemonstrationTurn } from '../../src/agent/env';
import type { Json, Task } from '../../src/agent/types';
import { mean } from '../../src/lib/mean';
import { OpenEnvironment, type Played } from './open';

interface Game {
  readonly secret: readonly string[];
  readonly opening: readonly string[] | null;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 384;
const most = 6;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();

const gameOf = ({ data }: Task) => data as unknown as Game;
const guess = (code: string): DemonstrationTurn => ({ calls: [{ name: 'guess', arguments: { code } }] });
const codeIn = (turn: DemonstrationTurn) =>
  (turn as unknown as { calls: { arguments: { code: string } }[] }).calls[0].arguments.code;

beforeAll(async () => {
  environment = await OpenEnvironment.open('mastermind');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

const shareSolved = (episodes: readonly Played[]) => mean(episodes.map(({ success }) => Number(success)));
const guessesIn = (episodes: readonly Played[]) => episodes.reduce((sum, { results }) => sum + results.length, 0);

const colours = ['red', 'green', 'blue', 'yellow', 'black', 'white', 'pink'];
const all = colours.flatMap((one) => colours.map((other) => [one, other]));
const asked = (prompt: string): Task => ({ id: prompt, prompt, data: { secret: ['red', 'red'], opening: null } });
/** A game for each of the 49 codes. */
const everyCode = all.map((secret) => asked(`code ${secret.join(' ')}`));

/** The answer to a guess, by the rules of the box: right pegs, and near ones. */
function answer(secret: readonly string[], code: readonly string[]): string {
  const right = code.filter((colour, i) => colour === secret[i]).length;
  const common = colours.map((colour) =>
    Math.min(...[secret, code].map((list) => list.filter((each) => each === colour).length)),
  );
  return `${right}-right-${common.reduce((sum, each) => sum + each, 0) - right}-near`;
}
const answers = all.map((code) => all.map((secret) => answer(secret, code)));
const found = '2-right-0-near';

/** Fewest guesses that find each of a list of codes, all together, whatever is guessed. */
function fewest(codes: readonly number[], known = new Map<string, number>()): number {
  if (codes.length === 1) return 1;
  const key = codes.join();
  const before = known.get(key);
  if (before !== undefined) return before;
  const guesses = answers.map((said) => {
    const parts = new Map<string, number[]>();
    for (const code of codes) parts.set(said[code], [...(parts.get(said[code]) ?? []), code]);
    const open = [...parts].filter(([text]) => text !== found).map(([, part]) => part);
    // Each code takes this guess, and the first of each part another one, the others two or more.
    return { open, least: codes.length + open.reduce((sum, { length }) => sum + 2 * length - 1, 0) };
  });
  let best = Infinity;
  for (const { open, least } of guesses.sort((a, b) => a.least - b.least)) {
    if (least >= best) break;
    if (open.some(({ length }) => length === codes.length)) continue;
    const sum = open.reduce((sum, part) => sum + fewest(part, known), codes.length);
    best = Math.min(best, sum);
  }
  known.set(key, best);
  return best;
}

describe('a guess', () => {
  test('is answered as the rules say, for every code and every secret', async () => {
    for (const [j, secret] of all.entries())
      for (const [i, code] of all.entries()) {
        if ((i + j) % 5 > 0) continue;
        const { results } = await environment.play(everyCode[j], [guess(code.join(' '))]);
        expect(results, `${code.join(' ')} for ${secret.join(' ')}`).toEqual([answers[i][j]]);
      }
  });

  test.each([
    ['red blue', 'red blue', found],
    ['red blue', 'blue red', '0-right-2-near'],
    ['red blue', 'red red', '1-right-0-near'],
    ['red blue', 'green red', '0-right-1-near'],
    ['red blue', ' green   yellow ', '0-right-0-near'],
  ])('where the code is %s: %s is %s', async (secret, code, said) => {
    expect((await environment.play(asked(`code ${secret}`), [guess(code)])).results).toEqual([said]);
  });

  test.each(['', 'red', 'red blue red', 'red brown', 'guess'])('of %j is refused', async (code) => {
    expect((await environment.play(everyCode[0], [guess(code)])).results[0]).toContain('two colours');
  });

  test('ends the game when it finds the code, or is the last of six', async () => {
    const task = asked('code red blue');
    const done = async (before: number, code: string) => {
      const missed = { code: ['black', 'black'], right: 0, near: 0 };
      const state = Array<Json>(before).fill(missed);
      const args = { tool: 'guess', arguments: { code }, task: { ...task }, state };
      return (await environment.ask<{ done?: boolean }>('execute', args)).done;
    };
    expect([await done(0, 'red blue'), await done(4, 'black black'), await done(5, 'black black')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('pays for each that is left when the code is found', async () => {
    const after = (codes: readonly string[]) => environment.play(asked('code red blue'), codes.map(guess));
    const missed = Array<string>(5).fill('black black');
    expect((await after(['red blue'])).terms).toEqual({ found: 1, early: 5 });
    expect((await after([...missed, 'red blue'])).terms).toEqual({ found: 1, early: 0 });
    expect(await after([...missed, 'red red'])).toMatchObject({ success: false, terms: { found: 0, early: 0 } });
    const opened = await environment.play(asked('code red blue after red red'), [guess('red blue')]);
    expect(opened.terms).toEqual({ found: 1, early: 4 });
  });
});

describe('tasks', () => {
  test('half of the games of training have an opening, all of the other split, and none of one in the other', () => {
    const openings = splits.map((split) => drawn.get(split)!.flatMap((task) => gameOf(task).opening?.join(' ') ?? []));
    const [train, validation, outside] = openings;
    for (const some of [train, validation]) expect(Math.abs(some.length / count - 0.5)).toBeLessThan(0.1);
    expect(outside).toHaveLength(count);
    expect(new Set(outside).size).toBe(7);
    expect(new Set([...train, ...validation]).size).toBe(42);
    expect([...train, ...validation].filter((opening) => outside.includes(opening))).toEqual([]);
  });

  test('every code is a secret in every split; no opening is the secret', () => {
    for (const split of splits) {
      const games = drawn.get(split)!.map(gameOf);
      expect(new Set(games.map(({ secret }) => secret.join(' '))).size).toBe(49);
      for (const { secret, opening } of games) expect(opening).not.toEqual(secret);
    }
  });

  test('no prompt is in two splits', () => {
    const [train, validation, outside] = splits.map((split) => new Set(drawn.get(split)!.map(({ prompt }) => prompt)));
    expect([...validation, ...outside].filter((prompt) => train.has(prompt))).toEqual([]);
    expect([...outside].filter((prompt) => validation.has(prompt))).toEqual([]);
  });
});

describe('a visitor', () => {
  const shown = async (prompt: string) => {
    const { state } = await environment.ask<{ state: Json }>('start', { task: { ...asked(prompt) } });
    return environment.ask<Json>('context', { messages: [{ role: 'user', content: prompt }], state });
  };

  test('sets the code, and may make the first guess; the agent sees no more than its answer', async () => {
    expect(await shown('code red blue')).toEqual([{ role: 'user', content: 'guess' }]);
    expect(await shown('code red blue after red red')).toEqual([{ role: 'user', content: 'red red 1-right-0-near' }]);
    expect((await environment.play(asked('code red blue'), [guess('red blue')])).success).toBe(true);
  });

  test('who says a number gets the game of that number', async () => {
    const task = drawn.get('validation')!.find((each) => gameOf(each).opening === null)!;
    const again = { ...asked(task.prompt), prompt: ` ${task.prompt} ` };
    expect(await environment.play(again, [guess(gameOf(task).secret.join(' '))])).toMatchObject({ success: true });
  });

  test.each(['hello', 'code red', 'code red brown', 'game', ''])(
    'who says %j gets the game of the task',
    async (prompt) => {
      expect(await environment.play(asked(prompt), [guess('red red')])).toMatchObject({ success: true });
    },
  );
});

describe('policies', () => {
  const played = (split: (typeof splits)[number]) => drawn.get(split)!.slice(0, 128);

  test('the oracle takes one guess more than can be: 199 for the 49 codes, and never more than there are', async () => {
    expect(fewest([...all.keys()])).toBe(198);
    const games = await environment.playAll(everyCode, 'oracle');
    expect(guessesIn(games)).toBe(199);
    expect(Math.max(...games.map(({ results }) => results.length))).toBeLessThanOrEqual(most);
  });

  test.each(splits)('in %s the oracle solves every game', async (split) => {
    expect(shareSolved(await environment.playAll(played(split), 'oracle'))).toBe(1);
  });

  test.each(splits)('in %s who uses every answer hardly ever fails, who forgets often does', async (split) => {
    expect(shareSolved(await environment.playAll(played(split), 'consistent'))).toBeGreaterThan(0.9);
    for (const [policy, bound] of [
      ['reflex', 0.7],
      [undefined, 0.7],
      ['forgetful', 0.3],
      ['random', 0.3],
    ] as const)
      expect(shareSolved(await environment.playAll(played(split), policy)), policy).toBeLessThan(bound);
  });

  test('half of the demonstrations guess what earlier answers have ruled out', async () => {
    const forgets = [];
    for (const [i, task] of drawn.get('train')!.entries()) {
      const { secret, opening } = gameOf(task);
      const turns = await environment.script(task, i);
      const codes = [...(opening ? [opening] : []), ...turns.map((turn) => codeIn(turn).split(' '))];
      const isRuledOut = (code: readonly string[], k: number) =>
        codes.slice(0, k).some((each) => answer(code, each) !== answer(secret, each));
      forgets.push(Number(codes.some(isRuledOut)));
    }
    // Some forgetful games end before it shows.
    expect(mean(forgets)).toBeGreaterThan(0.3);
    expect(mean(forgets)).toBeLessThan(0.55);
  });
});
