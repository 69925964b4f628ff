/** Every algorithm learns which arm pays, end to end on the real device: two more seeds. */
import { test } from 'vitest';
import { algorithmNames } from '../../src/algorithms/table';
import { learns } from '../helpers/lessons';

test.each(algorithmNames())('%s learns it on seeds 2 and 3', (name) => learns('bandit', name, [2, 3]));
