/** More states for axe: lessons, the page of runs, and what opens over a page. */
import type { Page } from '@playwright/test';
import { linesOf, trlRows } from '../../helpers/rollout-files';
import { patienceMs, press, runLink, train, untilReady, untilStatus, type Visits } from './visit';

const lesson =
  (number: number) =>
  async (visits: Visits): Promise<Page> => {
    const page = await visits.open(`#/learn/${number}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('figure').first().waitFor({ timeout: patienceMs });
    // Its guess and its first answer, so that what they lead to is there.
    const questions = page.getByRole('group').filter({ has: page.getByRole('radio') });
    for (const question of await questions.all()) await question.getByRole('radio').first().check();
    await page.waitForLoadState('networkidle');
    return page;
  };

export const pageStates: Readonly<Record<string, (visits: Visits) => Promise<Page>>> = {
  'lesson 4': lesson(4),
  'lesson 5': lesson(5),
  'lesson 6': lesson(6),
  'runs compared': async (visits) => {
    const page = await twoRuns(visits);
    for (const box of await page.getByRole('checkbox', { name: /^Compare / }).all()) await box.check();
    await page.getByRole('region', { name: 'What differs' }).waitFor({ timeout: patienceMs });
    await page.getByLabel('Group by').selectOption('runs');
    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    return page;
  },
  'a drawn world': async (visits) => {
    const page = await visits.open('#/lab?v=1&preset=sokoban');
    await untilReady(page);
    await page.getByRole('article').locator('svg[role="img"]').first().waitFor({ timeout: patienceMs });
    return page;
  },
  'a chart enlarged': async (visits) => {
    const page = await visits.open('#/lab');
    await press(page, 'Enlarge Success');
    const dialog = page.getByRole('dialog', { name: 'Success' });
    await dialog.getByLabel('from', { exact: true }).fill('50');
    await dialog.locator('.u-over').waitFor();
    return page;
  },
  'distributions and a difference': async (visits) => {
    const page = await visits.open('#/lab');
    await untilReady(page);
    await page.getByText('Distributions', { exact: true }).click();
    await page.getByRole('img', { name: /^Reward: / }).waitFor({ timeout: patienceMs });
    await press(page, 'Compare with…');
    await page.getByText(/^Pick another rollout/).waitFor({ timeout: patienceMs });
    await page.keyboard.press('j');
    await page.getByText(/^Struck: only in/).waitFor({ timeout: patienceMs });
    return page;
  },
  'reward desk': async (visits) => {
    const page = await visits.open(runLink());
    await train(page, /^Finished/);
    await press(page, 'Reward desk');
    await page.getByText(/scored again by/).waitFor({ timeout: patienceMs });
    await page.getByRole('dialog', { name: 'Reward desk' }).getByLabel('Weight of calls').fill('2');
    return page;
  },
  'runs ordered for the queue': async (visits) => {
    const page = await twoRuns(visits);
    await press(page, 'Queue runs…');
    await page.getByRole('list', { name: 'Names of the runs' }).waitFor({ timeout: patienceMs });
    return page;
  },
  'rollouts of another trainer': async (visits) => {
    const page = await visits.open('#/lab');
    await untilReady(page);
    await page.getByText('Compare estimators', { exact: true }).click();
    const file = { name: 'trl.jsonl', mimeType: 'application/json', buffer: Buffer.from(linesOf(trlRows)) };
    await page.getByLabel('Rollouts of another trainer').setInputFiles(file);
    await page.getByRole('heading', { name: /rollouts of TRL/ }).waitFor({ timeout: patienceMs });
    return page;
  },
  editor: async (visits) => {
    const page = await visits.open('#/lab');
    await untilReady(page);
    await press(page, 'Your own environment…');
    await page.getByLabel('Code of the environment (JavaScript)').waitFor({ timeout: patienceMs });
    await press(page, 'Check');
    await page.getByRole('dialog').getByText('Good').first().waitFor({ timeout: patienceMs });
    await page.getByRole('button', { name: 'Check', exact: true }).waitFor({ timeout: patienceMs });
    return page;
  },
  'present mode': async (visits) => {
    const page = await visits.open('#/lab');
    await untilReady(page);
    await press(page, 'Device, theme and help');
    await page.getByRole('button', { name: /^Present/ }).click();
    return page;
  },
};

async function twoRuns(visits: Visits): Promise<Page> {
  const page = await visits.open(runLink({ steps: 2, seed: 1 }));
  await train(page, /^Finished/);
  await page.evaluate((hash) => (location.hash = hash.slice(1)), runLink({ steps: 2, seed: 2 }));
  await page.getByRole('button', { name: /^Train( again)?$/ }).click();
  await untilStatus(page, /^(?!Finished)/);
  await untilStatus(page, /^Finished/);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('checkbox', { name: /^Compare / })
    .nth(1)
    .waitFor({ timeout: patienceMs });
  return page;
}
