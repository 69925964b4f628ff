/** Browsers without WebGPU: the page works as far as it can, and nothing that needs a GPU can be pressed. */
import { expect, test } from 'vitest';
import { engineVersion } from '../../src/rl/config/run-link';
import { encodeLink } from '../../src/share/link';
import { button, longMs, openShare, statusOf } from '../helpers/lab';
import { expectRecordingAndAdvice, openWithout } from '../helpers/without-webgpu';

test('without an adapter, the page plays its recording and says what to switch on', { timeout: longMs }, () =>
  expectRecordingAndAdvice('no adapter'),
);

test(
  'without WebGPU, keys and the chat do nothing, the setup can be changed and shared, and a link shows its curve',
  { timeout: longMs },
  async () => {
    const page = await openWithout('no api');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('Space');
    await page.keyboard.press('.');
    await page.keyboard.press('r');
    expect(await statusOf(page)).toMatch(/^Cannot train here · step 0\//);
    await page.getByRole('textbox', { name: 'Message the agent' }).fill('3+4');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('log').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Seed' }).fill('11');
    expect(await openShare(page)).toContain('seed=11');
    await page.keyboard.press('Escape');

    const validation = [0.1, 0.5, 0.9].map((success, i) => ({ iteration: i + 1, success }));
    const link = await encodeLink({
      preset: 'calculator',
      engineVersion,
      shared: true,
      scalars: { seed: '3' },
      validation,
    });
    await page.evaluate((query) => (location.hash = `#/lab?${query}`), link);
    await page.getByText('The author’s agent solved 90 % of unseen tasks at step 3.').waitFor();
    expect(await page.getByRole('figure', { name: /^Success/ }).innerText()).toContain('author’s run');
    expect(await button(page, 'Run it here').isDisabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);
