/** Every algorithm learns which of three choices the reward at the end was for, on three seeds. */
import { test } from 'vitest';
import { algorithmNames } from '../../src/algorithms/table';
import { learns, neverLearnsWithCreditReset, withAndWithoutCritic } from '../helpers/lessons';

test.each(algorithmNames())('%s learns it on the seeds that three-steps.test.ts leaves out', (name) =>
  learns('threeSteps', name, withAndWithoutCritic.includes(name) ? [2, 3] : [1, 2, 3]),
);

test('REINFORCE++ with credit reset at environment tokens never learns what the first choices were for', () =>
  neverLearnsWithCreditReset([1, 2, 3]));
