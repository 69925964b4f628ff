/** Cards of worlds: an answer says what it came to, and where both came to the same words, in what they differ. */
import { beforeAll, expect, test } from 'vitest';
import type { WorldCard } from '../../../src/cli/build/world-cards';
import { worldCards } from '../../../src/cli/build/world-cards-plugin';
import { recordedRun } from '../../helpers/recorded-run';

let cards: readonly WorldCard[];
const cardOf = (preset: string) => cards.find((card) => card.preset === preset)!;
const said = ({ before, after }: WorldCard) => [before, after].map(({ outcome, why }) => [outcome, why]);

/** As the build makes them. */
beforeAll(async () => {
  const { load } = worldCards() as unknown as { load: { handler: (this: object) => Promise<string> } };
  const code = await load.handler.call({ addWatchFile: () => undefined });
  cards = JSON.parse(code.replace(/^export default |;$/g, '')) as WorldCard[];
});

test('every card shows two answers that differ in words', () => {
  expect(cards.length).toBeGreaterThan(10);
  for (const card of cards) {
    const [before, after] = said(card);
    expect(before, card.preset).not.toEqual(after);
    expect([card.before.success, card.after.success], card.preset).toEqual([false, true]);
    expect(before[0], card.preset).not.toBe('');
  }
});

test('where both came to the same words, terms of the reward that differ say why', () => {
  expect(said(cardOf('papers'))).toEqual([
    ['done', 'complete 0 · recall 0.286'],
    ['done', 'complete 1 · recall 1'],
  ]);
  expect(said(cardOf('shop'))).toEqual([
    ['bought', 'score 0.667'],
    ['bought', 'score 1'],
  ]);
});

test('where no term differs, the calls do', () => {
  expect(said(cardOf('bisect'))).toEqual([
    ['bad left 0000001', '28 calls'],
    ['bad left 0000001', '5 calls'],
  ]);
});

test('where the words differ, nothing else is said', () => {
  expect(said(cardOf('calculator')).map(([, why]) => why)).toEqual(['', '']);
});

test('every card but the bandit’s says what is out of distribution, with its recording’s success there', () => {
  expect(cards.filter(({ ood }) => ood === null).map(({ preset }) => preset)).toEqual(['bandit']);
  for (const { preset, ood } of cards.filter((card) => card.ood !== null)) {
    const { warmStart, end } = recordedRun(preset).heldOut!;
    expect(ood!.rise, preset).toEqual([warmStart.outOfDistribution, end.outOfDistribution]);
    expect(ood!.what, preset).toMatch(/\.$/);
  }
});
