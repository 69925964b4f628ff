/** The health of a live run that goes wrong and of a recording without diagnostics; mistakes in the setup. */
import { expect, test } from 'vitest';
import { packRecording, unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, resumeLatestRun, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { panelOf, lineOf, listOf, rowOf, openRecording } from '../helpers/health-panel';

test('of a recording without diagnostics, only what it has is judged', { timeout: longMs }, async () => {
  const page = await openRecording((empty) =>
    empty.route(/recordings\/calculator\.json$/, async (route) => {
      const file = (await (await route.fetch()).json()) as RecordingFile;
      const recording = unpackRecording(file) as { metrics: object[] };
      const metrics = recording.metrics.map((each) => ({ ...each, diagnostics: undefined }));
      await route.fulfill({ json: packRecording({ ...recording, metrics }) });
    }),
  );
  await lineOf(page).click();
  await listOf(page).waitFor();
  expect(await listOf(page).getByRole('heading').allInnerTexts()).toEqual([
    'In-group deviation of rewards',
    'Groups without signal',
    'Entropy',
    'KL to the reference',
    'Gradient norm',
    'Cut actions',
  ]);
  expect(await panelOf(page).innerText()).not.toContain('not measured');
});

test(
  'a live run whose rate is far too hot sets off an alarm beside its curves, which a restored run still has',
  { timeout: 2 * longMs },
  async () => {
    // KL is measured when unseen tasks are; two measurements out of range are an alarm. The policy learns from the
    // first iteration, because the critic has no warm-up.
    const changes = { steps: 6, lr: 0.1, algo: 'ppo', criticWarmup: 0, evalEvery: 1 };
    const page = await openPage({ hash: shortLink(changes) });
    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /iteration [1-6]\/6/);
    await lineOf(page).click();
    await untilStatus(page, /^Finished/);
    expect(await lineOf(page).innerText()).toMatch(/▲\s+alarm: .*KL to the reference/);
    expect(await page.locator('[aria-live="polite"]').filter({ hasText: 'alarm: ' }).innerText()).toContain(
      'KL to the reference',
    );
    const kl = await rowOf(page, 'KL to the reference').innerText();
    expect(kl).toContain('▲ alarm');
    expect(Number(/([\d.]+) per token/.exec(kl)?.[1])).toBeGreaterThan(1);
    expect(await rowOf(page, 'Explained variance').innerText()).toMatch(/healthy: 0.1 to 1/);
    expect(await rowOf(page, 'Gradient norm').getByRole('list').innerText()).toMatch(
      /embedding\s+[\d.]+[^]*critic\s+[\d.]+/,
    );
    await expectAccessibleEverywhere(page, 'a run is unhealthy');
    const said = await lineOf(page).innerText();

    await page.reload();
    await resumeLatestRun(page);
    await untilStatus(page, /^Finished/);
    expect(await lineOf(page).innerText()).toBe(said);
  },
);

test(
  'a setup names the mistakes for teaching as mistakes, under a heading of their own',
  { timeout: longMs },
  async () => {
    const page = await openRecording();
    await page.locator('summary').filter({ hasText: 'All settings' }).click();
    for (const heading of [
      'KL to the reference policy',
      'Critic',
      'Process rewards and penalties',
      'Rollout filter',
      'Mistakes, for teaching',
    ])
      await page.locator('summary').filter({ hasText: heading }).click();
    for (const name of ['Loss mask', 'Advantage mask'])
      expect(await page.getByRole('switch', { name }).isVisible(), name).toBe(true);
    for (const name of ['KL in', 'KL estimator', 'Critic', 'Process rewards', 'Rollout filter'])
      expect(await page.getByRole('combobox', { name, exact: true }).isVisible(), name).toBe(true);
    await page.getByText('Each is an error that a published trainer once made.').waitFor();
    for (const name of ['Credit reset at environment tokens', 'Reward on a tool token', 'Wrong group ids'])
      await page.getByRole('switch', { name }).check();
    await page
      .getByText('Wrong on purpose: Credit reset at environment tokens, Reward on a tool token, Wrong group ids.')
      .waitFor();
    // Where the page stands now, a button is half under the bar that stays: to axe it is too small.
    await page.evaluate(() => scrollTo(0, 0));
    await expectAccessibleEverywhere(page, 'mistakes are switched on');
  },
);
