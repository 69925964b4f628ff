/**
 * A run survives a reload of the page, the fault that everyone meets. faults.full.test.ts has the others, and compares
 * the bits.
 */
import { test } from 'vitest';
import { expectNextIteration, midRun, openEndless, reloadAndResume, train } from '../helpers/broken-run';
import { expectAccessible } from '../helpers/browser';
import { longMs } from '../helpers/lab';
import { saveByHiding } from '../helpers/saves';

test('the page is reloaded: the run is offered, and goes on', { timeout: longMs }, async () => {
  const page = await openEndless();
  await train(page, midRun);
  await saveByHiding(page);
  const resume = await reloadAndResume(page, /can go on: iteration \d+ of 10000, saved this minute/);
  await expectAccessible(page, 'a saved run is offered');
  await resume.click();
  await expectNextIteration(page);
});
