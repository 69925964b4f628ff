/** Writing an environment: the template, how long its check takes, where a mistake is marked, and an endless loop. */
import type { Page } from '@playwright/test';
import type { Observed } from '../../attacks/tool-item';
import { buildAndServe, probeEntry } from '../../helpers/site';
import { atMost, mustBe, type Row } from './row';
import { patienceMs, press, runLink, untilReady, Visits } from './visit';

const mistakeLine = 2;

export async function environments(visits: Visits): Promise<Row[]> {
  const page = await visits.open(runLink());
  await untilReady(page);
  await press(page, 'Your own environment…');
  const rows = [...(await template(page)), await mistake(page)];
  await page.context().close();
  return [...rows, await endlessLoop()];
}

/** The check plays the tasks with the template's oracle, two ignorant agents and an untrained one. */
async function template(page: Page): Promise<Row[]> {
  const report = page.getByRole('dialog').getByRole('status');
  const tookMs: number[] = [];
  for (let time = 0; time < 3; time++) {
    const startMs = performance.now();
    await press(page, 'Check');
    await page.getByRole('button', { name: 'Checking…', exact: true }).waitFor({ timeout: patienceMs });
    await page.getByRole('button', { name: 'Check', exact: true }).waitFor({ timeout: patienceMs });
    tookMs.push(performance.now() - startMs);
  }
  const problems = await report.getByText('Problem', { exact: true }).count();
  return [
    mustBe('problems of the template before a line is edited', String(problems), '0'),
    atMost('check of the template, 20 episodes and more', Math.max(...tookMs), 1000, ' ms'),
  ];
}

async function mistake(page: Page): Promise<Row> {
  const dialog = page.getByRole('dialog');
  const code = dialog.getByLabel('Code of the environment (JavaScript)');
  await code.press('Control+a');
  await page.keyboard.insertText(`const a = 1;\nconst b = ;\n`);
  await press(page, 'Check');
  await dialog
    .getByRole('status')
    .getByRole('button', { name: /^Go to line/ })
    .click({ timeout: patienceMs });
  const words = (await dialog.getByText(/^Line \d+, column \d+/).innerText()).match(/\d+/)![0];
  return mustBe('line at which a mistake is marked', words, String(mistakeLine));
}

/** In a worker of the page's own sandbox, from loading the code to the sentence that it was stopped. */
async function endlessLoop(): Promise<Row> {
  // A build of its own: what visitors get has no probe.
  const visits = new Visits(await buildAndServe(probeEntry));
  try {
    return await stopOfEndlessLoop(visits);
  } finally {
    await visits.close();
    visits.site.close();
  }
}

async function stopOfEndlessLoop(visits: Visits): Promise<Row> {
  const page = await visits.open('#/lab');
  await untilReady(page);
  // As text, since the runner would rewrite the import of a function.
  const probe = `import(${JSON.stringify(new URL('attacks-probe.js', visits.url).href)})`;
  await page.evaluate(`${probe}.then((probe) => probe.start())`);
  const { tookMs, kind } = await page.evaluate<Observed>(
    `${probe}.then((probe) => probe.run('for (;;);', ['killed']))`,
  );
  await page.context().close();
  return kind === 'value'
    ? mustBe('an endless loop of a tool', 'went on', 'stopped')
    : atMost(`an endless loop of a tool is stopped (${kind})`, tookMs, 250, ' ms');
}
