/** An algorithm without a critic and one with a critic learn which of three choices the reward at the end was for. */
import { test } from 'vitest';
import { learns, withAndWithoutCritic } from '../helpers/lessons';

test.each(withAndWithoutCritic)('%s learns it on seed 1', (name) => learns('threeSteps', name, [1]));
