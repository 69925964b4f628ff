/** The browser's storage is full, cleared or forbidden: the run goes on, and the page says what is not saved. */
import { test } from 'vitest';
import { expectNextIteration, finished, iterations, midRun, open, openEndless, train } from '../helpers/broken-run';
import { clearSiteData, forbidStorage, limitStorage, setVisible } from '../helpers/faults';
import { longMs, openLatestRun, patienceMs, untilReady, untilStatus } from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

// Chromium counts what is stored with some delay, so the first saves may still find room.
test(
  'the storage has no space left: the run goes on and can be downloaded; with space, it is saved again',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await untilReady(page);
    await limitStorage(page, 1);
    await train(page, midRun);
    await setVisible(page, false);
    await expectNotice(page, /no space left to save the run\..*goes on/, ['Download checkpoint']);
    await limitStorage(page, null);
    await setVisible(page, true);
    await saveByHiding(page);
    await expectNotice(page, /The run is saved in this browser again\./);
  },
);

test('the storage is cleared under the open page: the next save makes it anew', { timeout: longMs }, async () => {
  const page = await open();
  await train(page, midRun);
  await saveByHiding(page);
  await clearSiteData(page);
  await untilStatus(page, finished);
  await page.getByText(`saved at iteration ${iterations}`).waitFor({ timeout: patienceMs });
  await page.reload();
  await untilReady(page);
  await openLatestRun(page);
  await page.getByText(`${iterations} iterations`).first().waitFor();
  await page.getByText('Its weights are kept, so it can go on.').waitFor();
});

test('the storage is forbidden, as in some private windows', { timeout: longMs }, async () => {
  const page = await openEndless({ before: forbidStorage });
  await train(page, midRun);
  await setVisible(page, false);
  await expectNotice(page, /does not let the page save the run/, ['Download checkpoint']);
  await expectNextIteration(page);
});
