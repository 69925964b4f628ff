/** Programs on a list: what the interpreter runs, what its errors tell, and what guessing after one costs. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Task } from '../../src/agent/types';
import { OpenEnvironment } from './open';

interface Data {
  readonly list: number[];
  readonly spelling: Record<string, string>;
  readonly kind: string;
}

const splits = ['train', 'validation', 'out-of-distribution'] as const;
const count = 64;
let environment: OpenEnvironment;
const drawn = new Map<string, Task[]>();
const dataOf = (task: Task) => task.data as unknown as Data;
const answerOf = async (task: Task): Promise<string> => {
  const turns = await environment.script(task, 1, 'oracle');
  return (turns.at(-1) as { answer: string }).answer;
};
const run = (code: string) => ({ calls: [{ name: 'run', arguments: { code } }] });

beforeAll(async () => {
  environment = await OpenEnvironment.open('code');
  for (const split of splits) drawn.set(split, await environment.draw(split, 5, count));
});

describe('tasks', () => {
  test('no pair of question and condition is both in training and out of distribution', () => {
    const pairs = (split: string) => new Set(drawn.get(split)!.map(({ tags }) => tags!.join(' ')));
    const trained = new Set([...pairs('train'), ...pairs('validation')]);
    expect([...pairs('out-of-distribution')].filter((pair) => trained.has(pair))).toEqual([]);
    expect(pairs('out-of-distribution')).toEqual(new Set(['sum odd', 'count below', 'largest even', 'smallest above']));
  });

  test('the answer changes without the condition', async () => {
    const whole: Record<string, (list: readonly number[]) => number> = {
      sum: (list) => list.reduce((sum, value) => sum + value, 0),
      count: (list) => list.length,
      largest: (list) => Math.max(...list),
      smallest: (list) => Math.min(...list),
    };
    for (const task of drawn.get('train')!) {
      const { kind, list } = dataOf(task);
      expect(await answerOf(task), task.prompt).not.toBe(String(whole[kind](list)));
    }
  });

  test('how often a name is not the usual one is an option', async () => {
    const renamed = async (percent: number) => {
      const tasks = await environment.draw('train', 5, count, { renamed: percent });
      const names = tasks.flatMap((task) => Object.entries(dataOf(task).spelling));
      return names.filter(([usual, name]) => usual !== name).length / names.length;
    };
    expect(await renamed(100)).toBe(1);
    expect(await renamed(40)).toBeCloseTo(0.4, 1);
  });
});

describe('policies', () => {
  const solved = async (split: string, policy: string): Promise<number> => {
    let sum = 0;
    for (const task of drawn.get(split)!)
      sum += Number((await environment.play(task, await environment.script(task, 1, policy))).success);
    return sum / count;
  };

  test.each(splits)('who repairs solves every task of %s, who guesses few', async (split) => {
    expect(await solved(split, 'oracle')).toBe(1);
    expect(await solved(split, 'guess-after-error')).toBeLessThan(0.3);
    expect(await solved(split, 'random')).toBeLessThan(0.2);
  });

  test('demonstrations loop where a loop is short, and both programs agree', async () => {
    const task = drawn.get('train')!.find((each) => dataOf(each).kind === 'sum')!;
    const scripts = await Promise.all(Array.from({ length: 40 }, (_, seed) => environment.script(task, seed)));
    const codes = new Set(scripts.map(([turn]) => JSON.stringify(turn)));
    expect(codes.size).toBe(2);
    const answer = await answerOf(task);
    const right = scripts.filter((turns) => turns.some((turn) => 'answer' in turn && turn.answer === answer));
    expect(new Set(right.map(([turn]) => JSON.stringify(turn))).size).toBe(2);
  });
});

describe('the interpreter', () => {
  const spelling = { list: 'data', filter: 'keep', sum: 'sum', max: 'max', min: 'low' };
  const task = {
    id: 'one',
    prompt: 'sum above 4',
    data: { list: [3, 8, 15, 2], spelling, kind: 'sum', test: 'x > 4' },
  } as unknown as Task;
  const result = async (code: string) => (await environment.play(task, [run(code)])).results[0];

  test.each([
    ['1 + 2 * 3', '7'],
    ['( 1 + 2 ) * 3 - 10 / 4', '6.5'],
    ['10 - 3 - 2', '5'],
    ['data', '3 8 15 2'],
    ['data . length', '4'],
    ['data.keep(x=>x%2==0).sum()', '10'],
    ['data . keep ( x => x > 4 && x < 10 || x == 2 )', '8 2'],
    ['data . low ( ) + data . max ( )', '17'],
    ['let s = 0 ; for ( let x of data ) if ( x > 4 ) s += x ; s', '23'],
    ['let m = 0 ; for ( let x of data ) { let y = x ; if ( y > m ) { m = y } } m', '15'],
    ['let f = 4 ; data . keep ( x => x != f ) . length', '4'],
  ])('%s is %s', async (code, value) => {
    expect(await result(code)).toBe(value);
  });

  test.each([
    ['list . sum ( )', 'list is not defined'],
    ['data . filter ( x => x > 4 )', 'filter is not a function'],
    ['data . where ( x => x > 4 )', 'where is not a function'],
    ['data . average ( )', 'average is not a function'],
    ['data . constructor ( )', 'constructor is not a function'],
    ['data . keep ( x => y )', 'y is not defined'],
    ['data . keep ( 4 )', '4 is not a function'],
    ['s = 3', 's is not defined'],
    ['for ( let x of 5 ) x', '5 is not a list'],
    ['4 . length', '4 is not a list'],
    ['( 1', 'expected )'],
    ['1 2', 'expected ;'],
    ['1 +', 'unexpected end'],
    ['{ 1 ; }  }', 'unexpected }'],
    [`${'for ( let x of data ) '.repeat(8)} x`, 'too many steps'],
  ])('%s fails: %s', async (code, message) => {
    expect(await result(code)).toBe(`error: ${message}`);
  });

  test.each([
    ['sum above 4', '23'],
    ['count even', '2'],
    ['largest below 9', '8'],
    ['smallest of all', '23'],
    ['constructor constructor', '23'],
  ])('who asks “%s” is answered %s', async (prompt, answer) => {
    expect(await answerOf({ ...task, prompt })).toBe(answer);
    expect(await environment.play({ ...task, prompt }, [{ answer }])).toMatchObject({ success: true });
  });

  test('its names are listed, not what they mean', async () => {
    const { results } = await environment.play(task, [{ calls: [{ name: 'names', arguments: {} }] }]);
    expect(results).toEqual(['data keep low max sum']);
  });

  test('errors and repairs are counted, and looking up names is neither', async () => {
    const names = { calls: [{ name: 'names', arguments: {} }] };
    const failing = run('list . sum ( )');
    const turns = [failing, failing, names, run('data . sum ( )'), names, { answer: '23' }];
    expect(await environment.play(task, turns)).toMatchObject({
      success: true,
      terms: { correct: 1, errors: 2, repairs: 1 },
    });
  });
});
