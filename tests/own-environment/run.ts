/**
 * `npm run own-environment`: trains an environment of its own in the terminal, opens the link of that run in a fresh
 * Chromium and in a fresh Firefox, trains it there, and prints what the page says of the two runs. Ends with 1 if they
 * do not agree or a browser is missing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../../src/cli/chromium';
import { installedBrowsers, type Browser } from '../engines/browsers';
import { buildAndServe } from '../helpers/site';
import { openFirefox } from './firefox';
import { shopFile, trainInTerminal } from './terminal';

const patienceMs = 600_000;

/** A page in a browser, whichever it is. */
interface Page {
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. */
  run<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-own-'));
  const site = await buildAndServe();
  try {
    const { link, success, adapter } = await trainInTerminal(join(folder, 'run'));
    const [warm, end] = [success.warm, success.end].map((share) => `${(100 * share).toFixed(1)} %`);
    console.log(
      `Terminal, ${adapter}: ${shopFile} solves ${warm} of unseen tasks after the warm start, ${end} at the end.`,
    );
    const browsers = installedBrowsers();
    let agreed = 0;
    for (const browser of browsers) if (await agrees(browser, `${site.plainUrl}#/lab?${link}`)) agreed++;
    if (browsers.length < 2) console.log('A Chromium and a Firefox are needed for the whole comparison.');
    process.exitCode = agreed === 2 ? 0 : 1;
  } finally {
    site.close();
    await rm(folder, { recursive: true });
  }
}

/** Opens the link as a stranger does, presses Train and waits for the end. */
async function agrees(browser: Browser, url: string): Promise<boolean> {
  const startMs = Date.now();
  const page =
    browser.name === 'Firefox' ? await openFirefox(browser.executable) : await openChromium(browser.executable);
  try {
    await page.open(url);
    await until(page, `return document.getElementById('field-rewards-sold') !== null`);
    const fields = await page.run<string>(
      `return ['rewards-sold', 'rewards-asked', 'environment-options-shelves'].map((name) => document.getElementById('field-' + name)?.value).join(' ')`,
    );
    if (fields !== '1 0.1 4')
      throw new Error(`${browser.name}: the setup shows ${fields} where the link says 1 0.1 4.`);
    await page.run(
      `[...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Train').click()`,
    );
    await until(page, `return /^Finished/.test(document.querySelector('[role=status]').textContent)`);
    const kind = await page.run<string>(`return document.querySelector('.verdict')?.className ?? ''`);
    const sentence = await page.run<string>(
      `return document.querySelector('.verdict')?.textContent ?? 'The page gives no verdict.'`,
    );
    const device = await page.run<string>(`return document.querySelector('.adapter')?.textContent ?? ''`);
    console.log(`${browser.name}, ${device}, ${Math.round((Date.now() - startMs) / 1000)} s: ${sentence}`);
    return /identical|close/.test(kind);
  } finally {
    await page.close();
  }
}

/** Waits for a condition in the page; what the page complains about ends the wait. */
async function until(page: Page, condition: string): Promise<void> {
  for (const endMs = Date.now() + patienceMs; !(await page.run<boolean>(condition)); await sleep(500)) {
    const complaint = await page.run<string>(
      `return [...document.querySelectorAll('[role=alert]')].map((each) => each.textContent).join(' ')`,
    );
    if (complaint) throw new Error(`The page says: ${complaint}`);
    if (Date.now() > endMs) throw new Error(`Not within ${patienceMs / 1000} s: ${condition}`);
  }
}

async function openChromium(executablePath: string): Promise<Page> {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url)),
    run: (body) => page.evaluate(`(() => { ${body} })()`),
    close: () => browser.close(),
  };
}

await main();
