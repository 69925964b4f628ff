/** What a key does in the filter's suggestions, and words about the places where rollouts and answers part. */
import { describe, expect, it } from 'vitest';
import { choiceShares, partingWords } from '../../src/presentation/token-cells';
import { suggestionKey } from '../../src/presentation/rollout-list';

describe('suggestionKey', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 2, 0],
    ['ArrowUp', -1, 2],
    ['ArrowUp', 0, 2],
    ['ArrowUp', 2, 1],
    ['Escape', -1, 'close'],
    ['Enter', 0, 'accept'],
    ['Enter', -1, null],
    ['a', 0, null],
  ])('%s with mark %i of three', (key, active, does) => expect(suggestionKey(key, active, 3)).toBe(does));
});

describe('partingWords', () => {
  const cells = (...texts: string[]) => texts.map((text, i) => ({ text, step: i + 1 }));
  const found = (rewards: readonly number[], parting: number | null) =>
    ({
      compared: rewards.map((reward, i) => ({ rollout: { reward }, cells: i === 0 ? cells('a', 'b') : cells('a') })),
      parting,
    }) as unknown as Parameters<typeof partingWords>[0];

  it('names the turn, and what best and worst wrote there', () => {
    expect(partingWords(found([1, 0.5, 0], 1))).toBe(
      'Best and worst part in turn 2: the best wrote b, the worst nothing more.',
    );
    expect(partingWords(found([1, 0], 0))).toBe('Best and worst part in turn 1: the best wrote a, the worst a.');
  });

  it('says why there is none', () => {
    expect(partingWords(found([1, 1], null))).toBe('All rollouts scored the same, so none is best or worst.');
    expect(partingWords(found([1, 0], null))).toContain('the reward differed by what the task drew');
  });
});

describe('choiceShares', () => {
  const written = { id: 1, probability: 0.75 };
  const sharesOf = (rival: { id: number; share: number } | null) =>
    choiceShares(['a', 'b c'], written, rival).map(({ name, note = '', share }) => [name + note, share]);

  it('is what was written, and the rest or the rival where that is known', () => {
    expect(sharesOf(null)).toEqual([
      ['b␣c', 0.75],
      ['others', 0.25],
    ]);
    expect(sharesOf({ id: 7, share: 0.125 })).toEqual([
      ['b␣c', 0.75],
      ['#7', 0.125],
    ]);
  });
});
