/** One algorithm of each kind of credit learns which of three choices the reward at the end was for. */
import { test } from 'vitest';
import { learns, oneOfEachCredit } from '../helpers/lessons';

test.each(oneOfEachCredit)('%s learns it on seed 1', (name) => learns('threeSteps', name, [1]));
