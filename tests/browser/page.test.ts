import { expect, test } from 'vitest';
import { violationsOf } from '../helpers/axe';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { openMenu, untilReady } from '../helpers/lab';

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
  await openMenu(page);
  await page.getByRole('button', { name: /^Present/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Calculator', exact: true }).waitFor({ state: 'attached' });
  await expectAccessibleEverywhere(page, 'the Lab is presented');
});

test('an address that names no page offers the page that it may have meant', async () => {
  const page = await openPage({ hash: '#/results' });
  await page.getByRole('button', { name: 'Open the results of the experiments' }).click();
  await page.locator('details.results[open]').waitFor();
  await page.evaluate(() => (location.hash = '#/sokobn'));
  await page.getByRole('button', { name: 'Open Sokoban' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sokoban' }).waitFor();
  await page.evaluate(() => (location.hash = '#/lab?preset=frozen-lake'));
  await page.getByRole('heading', { level: 1, name: 'Frozen lake' }).waitFor();
});

test('the answers leave no hole below them, and the reader stays beside the list', async () => {
  const page = await openPage({ reducedMotion: 'reduce', hash: '#/lab?v=1&preset=calculator-mini' });
  await page.locator('.answers article').first().waitFor();
  const hole = (selector: string) =>
    page.locator(selector).evaluate((box) => {
      const bottom = Math.max(...[...box.children].map((child) => child.getBoundingClientRect().bottom));
      return box.getBoundingClientRect().bottom - bottom;
    });
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await hole(':has(> .answers)'), `below the answers at ${width}`).toBeLessThan(8);
    expect(await hole('.intro'), `below the introduction at ${width}`).toBeLessThan(24);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('grid', { name: 'List of rollouts' }).scrollIntoViewIfNeeded();
  const reader = await page.locator('#reader').boundingBox();
  expect(reader!.y).toBeGreaterThan(0);
  expect(reader!.y).toBeLessThan(200);
});
