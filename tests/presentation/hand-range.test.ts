/** The y axis by hand: what is typed, and the range that it leaves. */
import { expect, test } from 'vitest';
import { automatic, handRange, isByHand, typedUnit, withHand } from '../../src/presentation/charts/hand-range';
import { text } from '../../src/presentation/charts/text';

test('ends are typed as the axis writes them', () => {
  expect(handRange('20', '80', 'share', false)).toEqual({ low: 0.2, high: 0.8, problem: null });
  expect(handRange('', '2.5', 'ms', false)).toEqual({ low: null, high: 2500, problem: null });
  expect(handRange('-1', ' ', 'number', false)).toEqual({ low: -1, high: null, problem: null });
  expect([typedUnit('share'), typedUnit('ms'), typedUnit('number'), typedUnit('rate')]).toEqual(['%', 's', '', '/s']);
});

test('what is no range is refused with a sentence', () => {
  const refused = (problem: string) => ({ ...automatic, problem });
  expect(handRange('2', '1', 'number', false)).toEqual(refused(text.hand.reversed));
  expect(handRange('1', '1', 'number', false)).toEqual(refused(text.hand.reversed));
  expect(handRange('a', '', 'number', false)).toEqual(refused(text.hand.noNumber));
  expect(handRange('', '1e300', 'number', false)).toEqual(refused(text.hand.noNumber));
  expect(handRange('0', '1', 'number', true)).toEqual(refused(text.hand.notPositive));
  expect(handRange('0.1', '1', 'number', true).problem).toBeNull();
});

test('an end by hand takes the place of that of the values, and never leaves an empty axis', () => {
  expect(withHand([0, 10], automatic)).toEqual([0, 10]);
  expect(withHand([0, 10], { low: 2, high: null })).toEqual([2, 10]);
  expect(withHand([0, 10], { low: null, high: 4 })).toEqual([0, 4]);
  expect(withHand([0, 10], { low: 12, high: null })).toEqual([12, 22]);
  expect(withHand([0, 10], { low: null, high: -3 })).toEqual([-13, -3]);
  expect([isByHand(automatic), isByHand({ low: 0, high: null }), isByHand({ low: null, high: 0 })]).toEqual([
    false,
    true,
    true,
  ]);
});
