/** Runs: from Train to the first point, pause, one step, the same bits again, and going on after the page died. */
import type { Page } from '@playwright/test';
import { decodeLink } from '../../src/share/link';
import { crashPage, setVisible } from '../helpers/faults';
import { atMost, mustBe, type Row } from './row';
import { endless, patienceMs, press, runLink, train, untilReady, untilStatus, type Visits } from './visit';

export async function running(visits: Visits): Promise<Row[]> {
  return [
    atMost('from Train to the first point, CPU, recorded warm start', await firstPointSeconds(visits), 5, ' s'),
    ...(await pauseAndStep(visits)),
    mustBe('reruns of one link with equal bits', await reruns(visits), '3 of 3'),
    ...(await resume(visits)),
  ];
}

async function firstPointSeconds(visits: Visits): Promise<number> {
  const page = await visits.open('#/lab?v=1&preset=calculator-mini&device=cpu');
  await untilReady(page);
  const startMs = performance.now();
  await press(page, 'Train');
  await untilStatus(page, /step [1-9]\d*\//);
  const tookMs = performance.now() - startMs;
  await page.context().close();
  return tookMs / 1000;
}

async function pauseAndStep(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless);
  await train(page, /^RL step/);
  const startMs = performance.now();
  await press(page, 'Pause');
  await untilStatus(page, /^Paused/);
  const tookMs = performance.now() - startMs;
  const before = await stepOf(page);
  await press(page, 'Step');
  await untilStatus(page, new RegExp(`^Paused.*step ${before + 1}/`));
  await page.waitForTimeout(1000);
  const after = await stepOf(page);
  await page.context().close();
  return [
    atMost('from Pause to paused', tookMs, 300, ' ms'),
    mustBe('steps of one press of Step', `${after - before}`, '1'),
  ];
}

const stepOf = async (page: Page): Promise<number> =>
  Number(/step (\d+)\//.exec((await page.getByRole('status').textContent()) ?? '')?.[1]);

async function reruns(visits: Visits): Promise<string> {
  const prints: string[] = [];
  for (let run = 0; run < 4; run++) {
    const page = await visits.open(runLink());
    await train(page, /^Finished/);
    await press(page, 'Share');
    const box = page.getByRole('textbox', { name: 'Link', exact: true });
    while (!/^http/.test(await box.inputValue())) await page.waitForTimeout(100);
    prints.push(String((await decodeLink(await box.inputValue())).fingerprint));
    await page.context().close();
  }
  return `${prints.slice(1).filter((print) => print === prints[0]).length} of 3`;
}

async function resume(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless);
  await train(page, /^RL step/);
  const beginMs = performance.now();
  const begin = await stepOf(page);
  await page.waitForTimeout(3000);
  await setVisible(page, false);
  await page.getByText(/saved at step \d+/).waitFor({ timeout: patienceMs });
  const reached = await stepOf(page);
  const stepMs = (performance.now() - beginMs) / (reached - begin);
  await crashPage(page);
  const next = await page.context().newPage();
  await next.goto(visits.url + endless);
  await untilReady(next);
  const startMs = performance.now();
  await press(next, 'Resume');
  await untilStatus(next, /^RL step/);
  const tookMs = performance.now() - startMs;
  const lost = Math.max(0, reached - (await stepOf(next)));
  await page.context().close();
  return [
    atMost('from Resume to training, after the page died', tookMs / 1000, 5, ' s'),
    atMost('training lost when the page died', (lost * stepMs) / 1000, 10, ' s'),
  ];
}
