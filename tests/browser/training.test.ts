/**
 * The main job, end to end: a person trains an agent in the built page, and a colleague reproduces the run from its
 * link. That success rises is in learning.full.test.ts.
 */
import { expect, inject, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import {
  atStatus,
  button,
  chartValues,
  longMs,
  openChat,
  openShare,
  patienceMs,
  press,
  shortLink,
  statusOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

test(
  'a person trains, pauses, talks to the agent and shares; a colleague reproduces the run',
  { timeout: longMs },
  async () => {
    // So many that a page on a busy machine can pause before the last.
    const page = await openPage({ hash: shortLink({ steps: 16, evalEvery: 16, width: 32, ff: 32 }) });
    await untilReady(page);
    expect(await statusOf(page)).toBe('Ready · iteration 0/16');
    await trainButton(page).click();
    await atStatus(page, /^RL iteration 1\/16/, press, 'Pause');
    const paused = await untilStatus(page, /^Paused/);
    const box = await openChat(page);
    await box.fill('3+4');
    await box.press('Enter');
    const chat = page.getByRole('log', { name: 'Chat' });
    await expect.poll(() => chat.innerText(), { timeout: patienceMs }).toMatch(/Agent, iteration \d+/);
    await expect.poll(() => chat.innerText(), { timeout: patienceMs }).not.toMatch(/answering…/);
    expect((await chat.innerText()).split(/Agent, iteration \d+/)[1].trim(), 'the answer').not.toBe('');
    expect(await statusOf(page), 'the run stood still').toBe(paused);
    await trainButton(page).click();
    await untilStatus(page, /^Finished · iteration 16\/16/);
    await expectAccessible(page, 'finished');
    const success = await chartValues(page, 'Success', 'practice');
    expect(success).toHaveLength(16);
    const link = await openShare(page);
    await page.context().close();

    const colleague = await openPage({ hash: link.slice(inject('siteUrl').length) });
    await colleague.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
    await untilReady(colleague);
    expect(await colleague.getByRole('figure', { name: /^Success/ }).innerText()).toContain('author’s run');
    await button(colleague, 'Run it here').click();
    await untilStatus(colleague, /^Finished/);
    await colleague
      .getByText(/^Same run: the first \d+ iterations match bit for bit \(the link holds \d+\)\.$/)
      .waitFor({ timeout: patienceMs });
    expect(await chartValues(colleague, 'Success', 'practice')).toEqual(success);
  },
);
