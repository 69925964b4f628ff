/** The built page after Jekyll, which GitHub Pages runs over a folder that has no `.nojekyll`, has copied it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { untilKept } from '../helpers/offline';
import { addressOf, serve, stop } from '../helpers/site';

test(
  'the page that Jekyll has copied trains, and its service worker stores it',
  { timeout: longMs },
  async (context) => {
    if (spawnSync('jekyll', ['--version']).status !== 0) return context.skip('not run: no jekyll');
    const folder = mkdtempSync(join(tmpdir(), 'agentlet-jekyll-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(inject('siteFolder'), join(folder, 'dist'), { recursive: true });
    execFileSync('jekyll', ['build', '-s', 'dist', '-d', 'site', '--disable-disk-cache'], { cwd: folder });
    const server = await serve(join(folder, 'site'), {});
    onTestFinished(() => stop(server));

    const hash = '#/lab?v=1&preset=calculator-mini&device=cpu';
    const page = await openPage({ site: addressOf(server), hash, gpu: 'no adapter', serviceWorkers: 'allow' });
    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /^Finished/, longMs);
    await untilKept(page);
    await page.getByRole('link', { name: 'Learn' }).click();
    await page.locator('main h1').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);
