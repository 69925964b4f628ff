import { expect, test } from 'vitest';
import { resetUs } from '../../../src/cli/bench/sandbox';
import { compileQuickJs } from '../../../src/cli/quickjs';

test('the time of a reset is measured on a guest that loads all of its modules', async () => {
  expect(resetUs(await compileQuickJs())).toBeGreaterThan(0);
});
