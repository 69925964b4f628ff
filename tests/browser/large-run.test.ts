/** A link that asks for more than the CPU device can hold: the page says so before a run and takes no memory. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, trainButton } from '../helpers/lab';
import { largestLink } from '../helpers/links';

test('the largest sizes of a link are a problem of the setup', { timeout: longMs }, async () => {
  const page = await openPage({ hash: `#/lab?${largestLink}` });
  await page
    .getByText(/The run takes \d+ MB and the device can hold 4295 MB/)
    .first()
    .waitFor({ timeout: patienceMs });
  expect(await trainButton(page).isDisabled()).toBe(true);
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  expect(renderers.length).toBeGreaterThan(0);
  for (const id of renderers) {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    expect(Number(kilobytes)).toBeLessThan(500e3);
  }
});
