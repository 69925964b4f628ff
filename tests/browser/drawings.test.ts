/** Episodes are drawn: in cards of worlds, where they play, and in the reader, where one steps through them. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, patienceMs, untilReady } from '../helpers/lab';

test('a card of a world shows the answer before, then the one after', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Calculator, mini' }) });
  const [before, after] = [card.getByRole('button', { name: /^Before/ }), card.getByRole('button', { name: /^After/ })];
  await card.getByRole('img', { name: /Answer: / }).waitFor({ timeout: patienceMs });
  await expect.poll(() => after.getAttribute('aria-pressed'), { timeout: patienceMs }).toBe('true');
  await before.click();
  expect(await before.getAttribute('aria-pressed')).toBe('true');
  await expectAccessible(page, 'cards are drawn');
});

test('with less motion a card shows how its last answer ended', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/', reducedMotion: 'reduce' });
  const card = page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Sokoban' }) });
  await card.scrollIntoViewIfNeeded();
  await card.getByRole('img', { name: /The box is done/ }).waitFor({ timeout: patienceMs });
});

test('a rollout is stepped through in the reader, beside its turns', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=sokoban' });
  await untilReady(page);
  const reader = page.locator('#reader');
  const scrubber = reader.getByRole('slider', { name: 'Step of the episode' });
  await scrubber.waitFor({ timeout: patienceMs });
  // The run that is replayed offers others until one is picked, and has all of them at its end.
  await page.getByRole('button', { name: 'Stop replay' }).click();
  await reader.getByRole('tab', { name: 'Rollouts' }).click();
  await reader
    .getByRole('button', { name: /^Rollout \d+: solved/ })
    .first()
    .click();
  await reader.getByRole('tab', { name: 'Conversation' }).click();
  await scrubber.waitFor({ timeout: patienceMs });
  expect(await scrubber.getAttribute('aria-valuetext')).toBe('before the first step');
  const picture = reader.getByRole('img', { name: /^A room of five by five/ });
  await scrubber.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => scrubber.getAttribute('aria-valuetext')).toMatch(/^step 1 of/);
  expect(await reader.locator('[aria-current="step"]').innerText()).toContain('turn 1');
  const first = await picture.getAttribute('aria-label');
  await page.keyboard.press('End');
  await expect.poll(() => scrubber.getAttribute('aria-valuetext')).toMatch(/^step (\d+) of \1$/);
  await expect.poll(() => picture.getAttribute('aria-label')).not.toBe(first);
  const saved = page.waitForEvent('download');
  await reader.getByRole('button', { name: /^Save this drawing/ }).click();
  const png = await readFile(await (await saved).path());
  // Its name and its width, which is twice the scene's.
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(200);
  await expectAccessible(page, 'a rollout is drawn');
});

test('on a phone the words of drawn answers can be read', { timeout: longMs }, async () => {
  const page = await openPage({
    hash: '#/lab?v=1&preset=form',
    viewport: { width: 360, height: 780 },
    reducedMotion: 'reduce',
  });
  await untilReady(page);
  const words = page.getByRole('article').getByRole('img').getByText('parcel', { exact: true }).first();
  await words.waitFor({ timeout: patienceMs });
  expect((await words.boundingBox())!.height).toBeGreaterThanOrEqual(8);
});

test('answers before and after play in step, and say where they part', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator', reducedMotion: 'reduce' });
  await untilReady(page);
  const cards = page.getByRole('article').filter({ hasText: 'Where they part' });
  await cards.nth(1).waitFor({ timeout: patienceMs });
  expect(await cards.count(), 'halfway it wrote what it writes at the end').toBe(2);
  await cards.first().getByText('<answer>').waitFor();
  await cards.last().getByText('<call>').waitFor();
  const scrubber = page.getByRole('slider', { name: 'Step of the episode' }).first();
  await expect
    .poll(() => scrubber.getAttribute('aria-valuetext'), { timeout: patienceMs })
    .toMatch(/^step (\d+) of \1$/);
  const pictures = cards.getByRole('img');
  await expect.poll(() => pictures.count(), { timeout: patienceMs }).toBe(2);
  const said = () => pictures.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
  const ends = await said();
  expect(new Set(ends).size).toBeGreaterThan(1);
  await scrubber.focus();
  await page.keyboard.press('Home');
  await expect.poll(() => scrubber.getAttribute('aria-valuetext')).toBe('before the first step');
  const starts = await said();
  expect(new Set(starts).size, 'the same task').toBe(1);
  await page.keyboard.press('ArrowRight');
  await expect.poll(said).not.toEqual(starts);
  await page.keyboard.press('End');
  await expect.poll(said).toEqual(ends);

  await page.getByRole('button', { name: 'Replay again' }).waitFor({ timeout: patienceMs });
  await page.getByText(/^Behaviour changed at iteration \d+, at the coloured dashed line/).waitFor();
  const [before, after] = [/^Iteration (\d+): a rollout that failed$/, /^Iteration (\d+): a rollout that solved/].map(
    (name) => page.getByRole('button', { name }),
  );
  await before.click();
  const reader = page.locator('#reader');
  await reader.getByText('✗ failed').waitFor();
  await after.click();
  await reader.getByText('✓ solved').waitFor();
  await expectAccessibleEverywhere(page, 'answers are in step');
});
