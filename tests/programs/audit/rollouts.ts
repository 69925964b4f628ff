/** How fast many rollouts are scrolled and a long one is opened, and whether all tokens that count are shown. */
import { readFileSync } from 'node:fs';
import { recordingText } from '../../helpers/recorded-run';
import { mean } from '../../../src/lib/mean';
import { openPart } from './part';
import type { readRollouts } from './rollouts-entry.svelte';
import { atLeast, atMost, mustBe, quantile, type Row } from './row';
import { patienceMs, runLink, saveAs, train, type Visits } from './visit';

const listed = 5000;
const tokens = 256;
const frames = 60;

export async function rollouts(visits: Visits): Promise<Row[]> {
  const page = await openPart(visits, 'rollouts-entry.svelte.ts');
  const { rows, gapMs, groupMs, rolloutMs } = await page.evaluate(
    ({ recording, listed, tokens, frames }) =>
      (globalThis as unknown as { audit: { readRollouts: typeof readRollouts } }).audit.readRollouts(
        recording,
        listed,
        tokens,
        frames,
      ),
    { recording: recordingText('calculator'), listed, tokens, frames },
  );
  await page.context().close();
  return [
    atLeast('rollouts in the list', rows, listed),
    atLeast(`scrolling ${listed} rollouts`, 1000 / mean(gapMs), 50, ' frames/s'),
    atMost(`a group of 8 × ${tokens} tokens opens, p95`, quantile(groupMs, 0.95), 200, ' ms'),
    atMost(`a rollout of ${tokens} tokens opens, p95`, quantile(rolloutMs, 0.95), 60, ' ms'),
    await tokensInLoss(visits),
  ];
}

/** Adds up what the reader shows of each rollout of a step. */
async function tokensInLoss(visits: Visits): Promise<Row> {
  const page = await visits.open(runLink({ steps: 1 }));
  await train(page, /^Finished/);
  const reader = page.getByRole('article');
  const list = page.getByRole('grid', { name: 'List of rollouts' });
  const count = Number(await list.getAttribute('aria-rowcount')) - 1;
  await list.getByRole('row').nth(1).click();
  await reader.getByRole('tab', { name: 'Tokens' }).click();
  let shown = 0;
  for (let i = 0; i < count; i++) {
    await reader.getByText(`iteration 1 · rollout ${i}`, { exact: true }).waitFor({ timeout: patienceMs });
    shown += parseInt(await reader.getByText(/^\d+ tokens? in the loss$/).innerText());
    await page.keyboard.press('j');
  }
  const run = JSON.parse(readFileSync(await saveAs(page, 'JSON'), 'utf8')) as {
    metrics: readonly { trainedTokens: number }[];
  };
  await page.context().close();
  return mustBe('tokens shown in the loss of an iteration', String(shown), String(run.metrics[0].trainedTokens));
}
