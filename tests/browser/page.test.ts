import { expect, test } from 'vitest';
import { violationsOf } from '../helpers/axe';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { untilReady } from '../helpers/lab';

test('the built page opens from a sub-path, names itself and has a WebGPU adapter', async () => {
  const page = await openPage();
  expect(await page.title()).toMatch(/Agentlet/);
  expect(await page.evaluate(async () => (await navigator.gpu.requestAdapter())?.info.vendor)).toBe('google');
  // Train changes its looks the moment the device answers; axe must not look in the middle of that.
  await untilReady(page);
  await expectAccessibleEverywhere(page, 'the page has just been opened');

  await page.evaluate(() => document.querySelector('main')!.append(document.createElement('button')));
  expect(
    (await violationsOf(page)).map(({ id }) => id),
    'a button without a name is found',
  ).toEqual(['button-name']);
});

test('the Lab for a room, without its introduction, still has a title', async () => {
  const page = await openPage();
  await untilReady(page);
  await page.getByRole('button', { name: /^Present/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Calculator', exact: true }).waitFor({ state: 'attached' });
  await expectAccessibleEverywhere(page, 'the Lab is presented');
  await page.setViewportSize({ width: 360, height: 780 });
  const device = page.getByRole('banner').getByText(/^CPU\s· [\d.]+ GFLOP/);
  await expect.poll(() => device.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});
