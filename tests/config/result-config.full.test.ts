/** Every published seed of every row, of which result-config.test.ts opens the first. */
import { test } from 'vitest';
import { expectOpens, experiments } from '../helpers/published-rows';

test.each(experiments)('each row and seed of %s opens with its own config, as the CPU trained it', (_, file) =>
  expectOpens(file, (row) => row.seeds),
);
