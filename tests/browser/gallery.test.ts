import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { presets } from '../../src/config/presets';
import type { Metrics } from '../../src/rl/report';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { readRecording } from '../../src/share/recording';
import { formatPercent } from '../../src/lib/amounts';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, trainButton, untilReady } from '../helpers/lab';

const recordingOf = (preset: string) =>
  readRecording<RunConfig, Metrics, RolloutView>(JSON.parse(readFileSync(`public/recordings/${preset}.json`, 'utf8')));

test('every preset has a card that says what its recording says', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  const list = page.getByRole('list', { name: 'Worlds to train in' });
  await list.waitFor();
  expect(await list.getByRole('heading', { level: 2 }).count()).toBe(presets.length + 1);
  for (const { name, title } of presets) {
    const card = await list.getByRole('article').filter({ has: page.getByRole('link', { name: title, exact: true }) });
    const said = await card.innerText();
    const { metrics, answers, parameters } = recordingOf(name);
    const validated = metrics.flatMap(({ validationSuccess: share }) => (share === null ? [] : [share]));
    const rises = validated[validated.length - 1] > validated[0];
    const curve = rises ? validated : metrics.map(({ success }) => success);
    expect(said).toContain(`${formatPercent(curve[0])} → ${formatPercent(curve[curve.length - 1])}`);
    expect(said).toContain(answers[0][0].prompt);
    expect(said).toContain(`${Math.round(parameters / 1000)}K parameters`);
  }
  await expect.poll(() => list.innerText(), { timeout: patienceMs }).toMatch(/takes (seconds|under a minute) here/);
});

test('a card opens the Lab with its preset, and nothing moved before', { timeout: longMs }, async () => {
  const page = await openPage({
    hash: '#/',
    before: (each) =>
      each.addInitScript(() => {
        const shifts = { sum: 0 };
        Object.assign(globalThis, { shifts });
        new PerformanceObserver((entries) =>
          entries.getEntries().forEach((entry) => (shifts.sum += (entry as unknown as { value: number }).value)),
        ).observe({ type: 'layout-shift', buffered: true });
      }),
  });
  await expect.poll(() => page.getByRole('list', { name: 'Worlds to train in' }).innerText()).toMatch(/about/);
  const shifts = await page.evaluate(() => (globalThis as unknown as { shifts: { sum: number } }).shifts.sum);
  expect(shifts).toBeLessThanOrEqual(0.02);
  await page.getByRole('link', { name: 'Table', exact: true }).click();
  await untilReady(page);
  await page.getByRole('heading', { level: 1, name: 'Table' }).waitFor();
  expect(await page.evaluate(() => location.hash)).toBe('#/lab?v=1&preset=table');
});

test('the last card opens where a world of one’s own is written', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  await page.getByRole('link', { name: 'Your own world' }).click();
  await page.getByRole('dialog').waitFor({ timeout: patienceMs });
  expect(await trainButton(page).count()).toBe(1);
});
