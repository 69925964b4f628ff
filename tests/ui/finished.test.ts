import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/ui/panels/run/finished';
import { metricsRow } from './metrics-row';

const run = (...validated: readonly (number | null)[]) =>
  validated.map((validationSuccess, i) => metricsRow(i + 1, { validationSuccess }));

test.each<[string, readonly (number | null)[], string]>([
  ['rose', [0.14, null, 0.98], 'The agent now solves 98 % of new tasks. After iteration 1 it solved 14 %.'],
  ['fell', [0.5, null, 0.1], 'The agent got worse: it solves 10 % of new tasks. After iteration 1 it solved 50 %.'],
  ['stayed low', [0.12, 0.3, 0.13], 'The agent solves 13 % of new tasks, about as many as after iteration 1.'],
  ['was good from the start', [1, null, 1], 'The agent solves 100 % of new tasks, as it did after iteration 1.'],
  ['was validated once', [null, 0.4], 'The agent solves 40 % of new tasks.'],
])('a run whose success %s', (_, validated, sentence) => expect(outcomeOf(run(...validated))).toBe(sentence));

test('nothing is said of a run that was never validated', () => expect(outcomeOf(run(null, null))).toBeNull());
