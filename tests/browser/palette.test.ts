/** The palette of commands: by the keyboard alone, and by its button. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, shortLink, statusOf, untilReady, untilStatus } from '../helpers/lab';

const paletteOf = (page: Page) => page.getByRole('dialog', { name: 'Commands' });

/** Opens it, types, and runs what is chosen. */
async function command(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await paletteOf(page).waitFor();
  await page.keyboard.type(typed);
  await paletteOf(page).getByRole('option', { selected: true, disabled: false }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => paletteOf(page).isVisible(), { message: `open after "${typed}"` }).toBe(false);
}

test(
  'keys alone open it, go to a page and a world, train, and say what cannot be done',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 2 }) });
    await untilReady(page);
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Control+k');
    const palette = paletteOf(page);
    const field = palette.getByRole('combobox', { name: 'Commands' });
    const chosen = palette.getByRole('option', { selected: true });
    await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);
    expect(await chosen.innerText()).toMatch(/^Train\s+Space\s+run$/);
    await page.keyboard.press('ArrowUp');
    expect(await chosen.innerText()).toMatch(/^Keyboard shortcuts/);
    await page.keyboard.press('ArrowDown');
    expect(await chosen.innerText()).toMatch(/^Train/);
    expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
    await expectAccessibleEverywhere(page, 'the palette is open');
    await page.keyboard.type('reset');
    const reset = palette.getByRole('option', { name: /^Reset/ });
    expect(await reset.getAttribute('aria-disabled')).toBe('true');
    expect(await reset.innerText()).toContain('There is no run.');
    await page.keyboard.press('Enter');
    expect(await palette.isVisible(), 'what cannot be done does not close it').toBe(true);
    await page.keyboard.type(' and nothing');
    await palette.getByText('No command has these words.').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => palette.isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'the focus returns').toBe('Share');

    await command(page, 'train');
    await untilStatus(page, /^Finished/);
    await command(page, 'runs');
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await command(page, 'compare');
    await expect
      .poll(() =>
        page
          .getByRole('checkbox', { name: /^Compare / })
          .first()
          .isChecked(),
      )
      .toBe(true);
    await command(page, 'frozen');
    await expect.poll(() => page.getByLabel('Preset', { exact: true }).inputValue()).toBe('frozen-lake');
    await command(page, 'all settings');
    await page.getByRole('group', { name: 'Reward weights' }).waitFor();
    const downloading = page.waitForEvent('download');
    await command(page, 'export svg');
    expect((await downloading).suggestedFilename()).toMatch(/\.svg$/);
    await command(page, 'dark theme');
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await command(page, 'keyboard');
    await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Ctrl+K').waitFor();
    await page.keyboard.press('Control+k');
    expect(await paletteOf(page).isVisible(), 'a dialog keeps its keys').toBe(false);
    await page.keyboard.press('Escape');
    await command(page, 'lesson 4');
    expect(new URL(page.url()).hash).toBe('#/learn/4');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('talk');
    expect(await chosen.innerText()).toContain('Open the Lab first.');
  },
);

test('it can be used when it opens again before the browser says that it was closed', async () => {
  const page = await openPage({ hash: '#/learn' });
  await page.keyboard.press('Control+k');
  await paletteOf(page).waitFor();
  await page.evaluate(async () => {
    const dialog = document.querySelector<HTMLDialogElement>('dialog.palette')!;
    const closed = new Promise((resolve) => dialog.addEventListener('close', resolve, { once: true }));
    dialog.close();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    await closed;
  });
  await paletteOf(page).waitFor();
  await page.keyboard.type('runs');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor({ timeout: 5_000 });
});

test('its button opens it, and gets the focus back', async () => {
  const page = await openPage({
    hash: '#/learn',
    viewport: { width: 360, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  const button = page.getByRole('banner').getByRole('button', { name: 'Commands' });
  const middles = await page
    .getByRole('banner')
    .locator('.wordmark, .tools button:visible')
    .evaluateAll((each) => each.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => (top + bottom) / 2));
  expect(new Set(middles).size, `one line: ${middles.join(', ')}`).toBe(1);
  expect(await button.getAttribute('title')).toBe('Commands, pages, lessons and worlds (Ctrl+K)');
  await button.click();
  await paletteOf(page).getByRole('combobox', { name: 'Commands' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => button.evaluate((each) => each === document.activeElement)).toBe(true);
});

test('keys typed while it is loaded do nothing to the page', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2 }) });
  await untilReady(page);
  let load = () => {};
  const asked = new Promise<void>((resolve) => (load = resolve));
  await page.route(/Palette-.*\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.press('.');
  load();
  await paletteOf(page).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => paletteOf(page).isVisible()).toBe(false);
  expect(await statusOf(page)).toMatch(/^Ready/);
  await page.keyboard.press('.');
  await untilStatus(page, /^Paused/);
});
