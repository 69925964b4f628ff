/** Runs: the first point, pause, one step, the same bits again, and going on after a page or a device died. */
import type { Page } from '@playwright/test';
import { decodeLink } from '../../../src/share/link';
import { catchDevice, crashPage, destroyDevice, setVisible } from '../../helpers/faults';
import { atMost, mustBe, type Row } from './row';
import { endless, patienceMs, press, runLink, train, untilReady, untilStatus, type Visits } from './visit';

export async function running(visits: Visits): Promise<Row[]> {
  return [
    atMost('from Train to the first point, CPU, recorded warm start', await firstPointSeconds(visits), 5, ' s'),
    ...(await pauseAndStep(visits)),
    mustBe('reruns of one link with equal bits', await reruns(visits), '3 of 3'),
    mustBe('iteration 1 after Reset', await stepAfterReset(visits), 'the same bits'),
    ...(await resume(visits)),
    atMost('from a lost device to the next iteration', await lostDeviceSeconds(visits), 5, ' s'),
  ];
}

async function firstPointSeconds(visits: Visits): Promise<number> {
  const page = await visits.open('#/lab?v=1&preset=calculator-mini&device=cpu');
  await untilReady(page);
  const startMs = performance.now();
  await press(page, 'Train');
  await untilStatus(page, /iteration [1-9]\d*\//);
  const tookMs = performance.now() - startMs;
  await page.context().close();
  return tookMs / 1000;
}

async function pauseAndStep(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless);
  await train(page, /^RL iteration/);
  const tookMs = await page.evaluate(pauseMs);
  const before = await stepOf(page);
  await press(page, 'Iterate');
  await untilStatus(page, new RegExp(`^Paused.*iteration ${before + 1}/`));
  await page.waitForTimeout(1000);
  const after = await stepOf(page);
  await page.context().close();
  return [
    atMost('from Pause to paused', tookMs, 300, ' ms'),
    mustBe('iterations of one press of Iterate', `${after - before}`, '1'),
  ];
}

/** In the page: from the press of Pause until the status says so. */
function pauseMs(): Promise<number> {
  const status = document.querySelector('[role="status"]')!;
  const pause = [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Pause')!;
  return new Promise((paused) => {
    const startMs = performance.now();
    const look = () => status.textContent?.startsWith('Paused') && paused(performance.now() - startMs);
    new MutationObserver(look).observe(status, { characterData: true, childList: true, subtree: true });
    pause.click();
  });
}

const stepOf = async (page: Page): Promise<number> =>
  Number(/iteration (\d+)\//.exec((await page.getByRole('status').textContent()) ?? '')?.[1]);

async function reruns(visits: Visits): Promise<string> {
  const prints: string[] = [];
  for (let run = 0; run < 4; run++) {
    const page = await visits.open(runLink());
    await train(page, /^Finished/);
    prints.push((await fingerprintOf(page)).join());
    await page.context().close();
  }
  return `${prints.slice(1).filter((print) => print === prints[0]).length} of 3`;
}

/** Digests of the run's first steps, as its link carries them. */
async function fingerprintOf(page: Page): Promise<readonly string[]> {
  await press(page, 'Share');
  const box = page.getByRole('textbox', { name: 'Link', exact: true });
  while (!/^http/.test(await box.inputValue())) await page.waitForTimeout(100);
  const { fingerprint } = await decodeLink(await box.inputValue());
  await page.keyboard.press('Escape');
  return fingerprint ?? ['none'];
}

async function stepAfterReset(visits: Visits): Promise<string> {
  const page = await visits.open(runLink());
  await untilReady(page);
  const prints: string[] = [];
  for (let time = 0; time < 2; time++) {
    await press(page, 'Iterate');
    await untilStatus(page, /^Paused.*iteration 1\//);
    prints.push((await fingerprintOf(page)).join());
    await press(page, 'Reset');
    await untilReady(page);
  }
  await page.context().close();
  return prints[0] === prints[1] ? 'the same bits' : prints.join(' and ');
}

/** The device is destroyed while it trains; the run goes on with another one. */
async function lostDeviceSeconds(visits: Visits): Promise<number> {
  const page = await visits.open(runLink({ steps: 10_000, device: 'gpu' }));
  await untilReady(page);
  const worker = await catchDevice(page);
  await press(page, 'Train');
  await untilStatus(page, /^RL iteration/);
  await destroyDevice(worker);
  const startMs = performance.now();
  await page.getByText(/The graphics device was lost/).waitFor({ timeout: patienceMs });
  const before = await stepOf(page);
  while ((await stepOf(page)) <= before) await page.waitForTimeout(50);
  const tookMs = performance.now() - startMs;
  await page.context().close();
  return tookMs / 1000;
}

async function resume(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless);
  await train(page, /^RL iteration/);
  const beginMs = performance.now();
  const begin = await stepOf(page);
  await page.waitForTimeout(3000);
  await setVisible(page, false);
  await page.getByText(/saved at iteration \d+/).waitFor({ timeout: patienceMs });
  const reached = await stepOf(page);
  const iterationMs = (performance.now() - beginMs) / (reached - begin);
  await crashPage(page);
  const next = await page.context().newPage();
  await next.goto(visits.url + endless);
  await untilReady(next);
  const startMs = performance.now();
  await press(next, 'Resume');
  await untilStatus(next, /^RL iteration/);
  const tookMs = performance.now() - startMs;
  const lost = Math.max(0, reached - (await stepOf(next)));
  await page.context().close();
  return [
    atMost('from Resume to training, after the page died', tookMs / 1000, 5, ' s'),
    atMost('training lost when the page died', (lost * iterationMs) / 1000, 10, ' s'),
  ];
}
