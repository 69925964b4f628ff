/**
 * A person trains an agent in the built page until its success has risen, and a colleague reproduces the run from its
 * link.
 */
import { expect, inject, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  chartValues,
  longMs,
  openChat,
  openShare,
  patienceMs,
  quickLink,
  statusOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { plainSpaces } from '../helpers/plain-spaces';

const iterations = 10;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test(
  'a person trains, pauses, talks to the agent and shares; a colleague sees the curve and reproduces the run',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: quickLink({ steps: iterations }) });
    await untilReady(page);
    expect(await statusOf(page)).toBe(`Ready · iteration 0/${iterations}`);

    await trainButton(page).click();
    await untilStatus(page, new RegExp(`^RL iteration [1-9]\\d*/${iterations}`));
    await button(page, 'Pause').click();
    await untilStatus(page, /^Paused/);
    await stoodStill();
    await talk();
    await trainButton(page).click();

    await untilStatus(page, new RegExp(`^Finished · iteration ${iterations}/${iterations}`));
    await expectAccessibleEverywhere(page, 'finished');
    const success = await chartValues(page, 'Success', 'practice');
    const unseen = await chartValues(page, 'Success', 'unseen tasks');
    expect(success).toHaveLength(iterations);
    expect(meanOf(success.slice(-3)), `success in practice, in percent: ${success.join(' ')}`).toBeGreaterThan(
      meanOf(success.slice(0, 2)) + 20,
    );
    expect(
      await page.getByRole('figure', { name: /^Success: .*(rose|fell|began) .* iteration \d+[^.]*\.$/ }).count(),
    ).toBe(1);

    const link = await openShare(page);
    await page.context().close();
    await reproduce(link, success, unseen);

    async function stoodStill() {
      const before = await statusOf(page);
      await page.waitForTimeout(1500);
      expect(await statusOf(page)).toBe(before);
      expect(
        await page.getByRole('region', { name: 'Rollouts', exact: true }).getByRole('row').count(),
      ).toBeGreaterThan(1);
    }

    async function talk() {
      const box = await openChat(page);
      await box.fill('3+4');
      await box.press('Enter');
      const reply = page.getByRole('log', { name: 'Chat' });
      await expect.poll(() => reply.innerText(), { timeout: patienceMs }).toMatch(/Agent, iteration \d+/);
      await expect.poll(() => reply.innerText(), { timeout: patienceMs }).not.toMatch(/answering…/);
      const [, answer] = (await reply.innerText()).split(/Agent, iteration \d+/);
      expect(answer.trim(), 'the answer, or that there was none').not.toBe('');
    }
  },
);

/** A colleague's browser: sees the author's curve at once, trains, and is told that the run is the same. */
async function reproduce(link: string, success: readonly number[], unseen: readonly number[]) {
  const page = await openPage({ hash: link.slice(inject('siteUrl').length) });
  await page.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
  expect(plainSpaces(await page.getByText(/the author’s agent solved/).innerText())).toContain(
    `solved ${unseen.at(-1)} % of unseen tasks at iteration ${unseen.length}`,
  );
  await untilReady(page);
  expect(await page.getByRole('figure', { name: /^Success/ }).innerText()).toContain('author’s run');
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  await page
    .getByText(/^Same run: the first \d+ iterations match bit for bit \(the link holds \d+\)\.$/)
    .waitFor({ timeout: patienceMs });
  expect(await chartValues(page, 'Success', 'practice')).toEqual(success);
}
