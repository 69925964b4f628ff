/** A page in Chromium or Firefox, whichever it is, that a script works. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../../../src/cli/chromium';
import type { Browser } from './browsers';
import { openFirefox } from './firefox';

const patienceMs = 600_000;

export interface DrivenPage {
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page. @returns what it returns or resolves to, as JSON */
  run<T>(body: string): Promise<T>;
  close(): Promise<void>;
}

/** In a browser of its own, which has stored nothing. */
export function openDrivenPage({ name, executable }: Browser): Promise<DrivenPage> {
  return name === 'Firefox' ? openFirefox(executable) : openChromium(executable);
}

async function openChromium(executablePath: string): Promise<DrivenPage> {
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url)),
    run: (body) => page.evaluate(`(() => { ${body} })()`),
    close: () => browser.close(),
  };
}

/** Presses the button with one of these texts once it can be pressed. */
export async function press(page: DrivenPage, ...texts: string[]): Promise<void> {
  const named = `${JSON.stringify(texts)}.includes(each.textContent.trim())`;
  const find = `[...document.querySelectorAll('button')].find((each) => ${named})`;
  await until(page, `const button = ${find}; return !!button && !button.disabled && button.ariaDisabled !== 'true'`);
  await page.run(`${find}.click()`);
}

/** Waits for a condition in the page. @throws what the page complains about */
export async function until(page: DrivenPage, condition: string): Promise<void> {
  for (const endMs = Date.now() + patienceMs; !(await page.run<boolean>(condition)); await sleep(200)) {
    const complaint = await page.run<string>(
      `return [...document.querySelectorAll('[role=alert]')].map((each) => each.textContent).join(' ')`,
    );
    if (complaint) throw new Error(`The page says: ${complaint}`);
    if (Date.now() > endMs) throw new Error(`Not within ${patienceMs / 1000} s: ${condition}`);
  }
}
