/** Every algorithm learns which arm pays, end to end; one without and one with a critic on WebGPU, too. */
import { test } from 'vitest';
import { algorithmNames } from '../../src/algorithms/table';
import { onWebGpu } from '../helpers/devices';
import { learns, withAndWithoutCritic } from '../helpers/lessons';

test.each(algorithmNames())('%s learns it on seed 1', (name) => learns('bandit', name, [1]));

onWebGpu(() => {
  test.each(withAndWithoutCritic)('%s learns it on seed 1', (name) => learns('bandit', name, [1]));
});
