/** Every algorithm learns which arm pays, end to end on the real device. */
import { test } from 'vitest';
import { algorithmNames } from '../../src/rl/algorithms/table';
import { learns } from '../helpers/lessons';

test.each(algorithmNames())('%s learns it on seed 1', (name) => learns('bandit', name, [1]));
