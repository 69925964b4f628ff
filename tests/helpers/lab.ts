/**
 * Working the Lab as a person does: its buttons by their names, its state by the one status line, its charts by what
 * they say.
 */
import { expect } from 'vitest';
import type { Locator, Page } from '@playwright/test';
import { decodeLink } from '../../src/share/link';

/** Time for a test that trains on a software GPU on a busy machine, and for one thing to happen in it. */
export const longMs = 240_000;
export const patienceMs = 90_000;

/**
 * A run of some seconds under which success truly rises: one operation on one-digit numbers. Imitation ends with the
 * teacher's habit of answering without the call; reinforcement finds that the call pays.
 */
const quickRun = {
  v: 1,
  preset: 'calculator-mini',
  seed: 1,
  steps: 10,
  'opt.max': 9,
  layers: 1,
  width: 64,
  ff: 64,
  demos: 1000,
  warm: 60,
  warmBatch: 80,
  warmLr: 0.01,
  lr: 0.0015,
  warmup: 0,
  decay: 'constant',
  tasks: 16,
  group: 8,
  mini: 4,
  evalTasks: 8,
};

/** Far fewer rollouts: for tests that need a run and do not care what it learns. */
const shortRun = { ...quickRun, tasks: 4, group: 4, mini: 1, warm: 6 };

const linkOf = (settings: object) =>
  `#/lab?${new URLSearchParams(Object.entries(settings).map(([key, value]) => [key, String(value)]))}`;

/** The link of a run under which success rises. */
export const quickLink = (changes: object = {}): string => linkOf({ ...quickRun, ...changes });

/** The link of a run that is over in a moment. */
export const shortLink = (changes: object = {}): string => linkOf({ ...shortRun, ...changes });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** The button that trains; a link that somebody sent gives it another name. */
export const trainButton = (page: Page): Locator => page.getByRole('button', { name: /^(Train|Run it here)$/ });

export const statusOf = async (page: Page): Promise<string> => (await page.getByRole('status').textContent()) ?? '';

/** Waits until the status line reads like `pattern`; a failure notice ends the wait with its sentence. */
export async function untilStatus(page: Page, pattern: RegExp, timeoutMs = patienceMs): Promise<string> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const status = await statusOf(page);
    if (pattern.test(status)) return status;
    const alerts = await page.getByRole('alert').allTextContents();
    if (alerts.length > 0 && !/Stopped/.test(String(pattern)))
      throw new Error(`While waiting for ${pattern}, the page said: ${alerts.join(' ')}`);
    if (Date.now() > end) throw new Error(`The status never read like ${pattern}; it reads “${status}”.`);
    await page.waitForTimeout(25);
  }
}

/**
 * Does something in the page in the very moment in which the status line reads like `pattern`, however briefly it does:
 * what asks from outside may look too late on a busy machine. @param act runs in the page, and knows of the test only
 * `value`
 */
export const atStatus = <T>(page: Page, pattern: RegExp, act: (value: T) => void, value: T): Promise<void> =>
  page.evaluate(`new Promise((resolve, reject) => {
    const status = document.querySelector('[role="status"]');
    const look = () => {
      if (!pattern.test(status.textContent)) return;
      observer.disconnect();
      clearTimeout(timer);
      (${String(act)})(${JSON.stringify(value)});
      resolve();
    };
    const pattern = ${String(pattern)};
    const never = () => reject(new Error('The status never read like ' + pattern + '; it reads “' + \
status.textContent + '”.'));
    const timer = setTimeout(never, ${patienceMs});
    const observer = new MutationObserver(look);
    observer.observe(status, { characterData: true, childList: true, subtree: true });
    look();
  })`);

/** From now on writes down what the status line reads. @returns all that it has read since */
export async function recordStatus(page: Page): Promise<() => Promise<string[]>> {
  const record = await page.evaluateHandle(() => {
    const status = document.querySelector('[role="status"]')!;
    const texts = [status.textContent!];
    new MutationObserver(() => texts.push(status.textContent!)).observe(status, {
      characterData: true,
      childList: true,
      subtree: true,
    });
    return texts;
  });
  return () => record.jsonValue();
}

/** Presses a button by its name, in the page itself. */
export function press(name: string): void {
  [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === name)!.click();
}

/** Opens the menu of the header: device, theme, help. */
export const openMenu = (page: Page): Promise<void> => button(page, 'Device, theme and help').click();

/** What runs are trained on, in the menu of the header, once its tooltip says how fast that is. */
export const measuredDevice = (page: Page): Locator => page.getByRole('banner').locator('span[title*="GFLOP/s"]');

/** Waits until the trainer is there, its device was measured, and Train can be pressed. */
export async function untilReady(page: Page): Promise<void> {
  await untilStatus(page, /^Ready/);
  await measuredDevice(page).waitFor({ state: 'attached', timeout: patienceMs });
  await expect.poll(() => trainButton(page).isEnabled(), { timeout: patienceMs }).toBe(true);
}

/** Opens the Lab with a short run of this seed, and trains it to its end by hand. */
export async function trainLink(page: Page, changes: { readonly seed: number; readonly [key: string]: unknown }) {
  await page.evaluate((to) => (location.hash = to), shortLink(changes));
  await untilStatus(page, /(Ready|Finished)/);
  await expect.poll(() => page.getByLabel('Seed', { exact: true }).inputValue()).toBe(String(changes.seed));
  const left = atStatus(page, /^(?!Finished)/, () => undefined, null);
  await page.getByRole('button', { name: /^Train( again)?$/ }).click();
  await left;
  await untilStatus(page, /^Finished/);
}

/** Opens the page of runs by the button of the Lab, and there the details of the latest run. */
export async function openLatestRun(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All runs' }).click();
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click({ timeout: patienceMs });
}

/** Goes on with the latest run of this browser, or shows it in the Lab if it is finished. */
export async function resumeLatestRun(page: Page): Promise<void> {
  await openLatestRun(page);
  await page.getByRole('button', { name: /^(Open in the Lab|Resume): / }).click({ timeout: patienceMs });
}

/** Iterations done, as the status line counts them. */
export async function stepOf(page: Page): Promise<number> {
  return Number(/iteration (\d+)\//.exec(await statusOf(page))?.[1]);
}

/** Values of a chart's last line, one an iteration, read from the chart's own slider as a screen reader would. */
export async function chartValues(page: Page, chart: string, label: string): Promise<number[]> {
  const slider = page.getByRole('slider', { name: `${chart} at iteration` });
  const count = Number(await slider.getAttribute('aria-valuemax'));
  await slider.focus();
  await page.keyboard.press('Home');
  const values: number[] = [];
  for (let iteration = 1; iteration <= count; iteration++) {
    const spoken = (await slider.getAttribute('aria-valuetext')) ?? '';
    const [, at, value] = new RegExp(`^iteration (\\d+): .*${label} ([\\d.]+)`).exec(spoken) ?? [];
    expect(Number(at), spoken).toBe(iteration);
    values.push(Number(value));
    await page.keyboard.press('ArrowRight');
  }
  await page.keyboard.press('Escape');
  return values;
}

/** Unfolds the settings behind the first four. */
export async function openSettings(page: Page): Promise<void> {
  const fold = page.locator('details').filter({ has: page.locator('summary', { hasText: 'All settings' }) });
  if (!(await fold.evaluate((each: HTMLDetailsElement) => each.open)))
    await fold.locator('summary', { hasText: 'All settings' }).click();
}

/** Brings the chat in sight. @returns its message box */
export async function openChat(page: Page): Promise<Locator> {
  await page.getByRole('tab', { name: 'Chat', exact: true }).click();
  return page.getByRole('textbox', { name: 'Message the agent' });
}

/** Opens the share dialog and reads its link; the dialog stays open. */
export async function openShare(page: Page): Promise<string> {
  await button(page, 'Share').click();
  const box = page.getByRole('textbox', { name: 'Link', exact: true });
  await expect.poll(() => box.inputValue(), { timeout: patienceMs }).toMatch(/^http/);
  return box.inputValue();
}

/** Digests of the first iterations, as the share link carries them. */
export async function sharedFingerprint(page: Page): Promise<readonly string[]> {
  const link = await openShare(page);
  await page.keyboard.press('Escape');
  return (await decodeLink(link)).fingerprint ?? [];
}
