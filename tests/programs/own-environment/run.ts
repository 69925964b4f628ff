/**
 * `npm run own-environment`: trains an environment that is not built in from its file in the terminal, opens the link
 * of that run in a fresh Chromium and in a fresh Firefox, trains it there, and prints what the page says of the two
 * runs. `npm run own-environment -- FILE.js [flags of train]` does it with your own. Exits with 1 if the runs do not
 * agree or a browser is missing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedBrowsers, type Browser } from '../engines/browsers';
import { openDrivenPage, press, until } from '../engines/driven-page';
import { buildAndServe } from '../../helpers/site';
import { shopTraining, trainInTerminal } from './terminal';
import type { RunConfig } from '../../../src/config/config';

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-own-'));
  const site = await buildAndServe();
  try {
    const own = process.argv.slice(2);
    const training = own.length > 0 ? own : shopTraining;
    const { link, success, adapter, config } = await trainInTerminal(join(folder, 'run'), training);
    const [warm, end] = [success.warm, success.end].map((share) => `${(100 * share).toFixed(1)} %`);
    console.log(
      `Terminal, ${adapter}: ${training[0]} solves ${warm} of unseen tasks after the warm start, ${end} at the end.`,
    );
    const browsers = installedBrowsers();
    let agreed = 0;
    for (const browser of browsers) if (await agrees(browser, `${site.plainUrl}#/lab?${link}`, config)) agreed++;
    if (browsers.length < 2) console.log('A Chromium and a Firefox are needed for the whole comparison.');
    process.exitCode = agreed === 2 ? 0 : 1;
  } finally {
    site.close();
    await rm(folder, { recursive: true });
  }
}

/** Opens the link as a stranger does, runs it and waits for the end. */
async function agrees(browser: Browser, url: string, config: RunConfig): Promise<boolean> {
  const startMs = Date.now();
  const page = await openDrivenPage(browser);
  try {
    await page.open(url);
    // The setup's fields for reward weights and options hold what the terminal's config holds.
    const expected = [
      ...Object.entries(config.rewards).map(([name, weight]) => [`field-rewards-${name}`, String(weight)]),
      ...Object.entries(config.environment.options).map(([name, value]) => [
        `field-environment-options-${name}`,
        String(value),
      ]),
    ];
    await until(page, `return document.getElementById('${expected[0][0]}') !== null`);
    for (const [id, value] of expected) {
      const shown = await page.run<string>(`return document.getElementById('${id}')?.value ?? 'nothing'`);
      if (shown !== value) throw new Error(`${browser.name}: ${id} shows ${shown}, but the run has ${value}.`);
    }
    await press(page, 'Run it here');
    await until(page, `return /^Finished/.test(document.querySelector('[role=status]').textContent)`);
    const [kind, sentence] = await page.run<[string, string]>(
      `const verdict = document.querySelector('[data-verdict]');
       return [verdict?.dataset.verdict ?? '', verdict?.textContent ?? 'The page gives no verdict.'];`,
    );
    const device = await page.run<string>(`return document.querySelector('.device .what')?.textContent ?? ''`);
    console.log(`${browser.name}, ${device}, ${Math.round((Date.now() - startMs) / 1000)} s: ${sentence}`);
    return /identical|close/.test(kind);
  } finally {
    await page.close();
  }
}

await main();
