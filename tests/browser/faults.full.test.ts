/**
 * The three great faults of a long run in a browser tab: the GPU's process, the page and the trainer worker. The run
 * goes on bit for bit as if nothing had happened. The other faults: *-faults.full.test.ts.
 */
import { expect, test } from 'vitest';
import { expectSameBits, iterations, midRun, open, reloadAndResume, train } from '../helpers/broken-run';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { crashGpuProcess, throwInWorker } from '../helpers/faults';
import { longMs, patienceMs, recordStatus, stepOf, untilStatus } from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { newestSave, saveByHiding } from '../helpers/saves';

test('the GPU’s process crashes: training goes on by itself, with the same bits', { timeout: longMs }, async () => {
  const page = await open({ device: 'gpu' });
  await train(page, midRun);
  await saveByHiding(page);
  await crashGpuProcess(page.context().browser()!);
  await expectNotice(page, /The graphics device was lost\. The run goes on by itself/);
  const restored = await stepOf(page);
  await expect.poll(() => stepOf(page), { timeout: patienceMs }).toBeGreaterThan(restored);
  await expectSameBits(page, 'gpu');
  await page.context().browser()!.close();
});

test(
  'the page is reloaded in mid-training: what was saved is offered, shown at once, and goes on with the same bits',
  { timeout: longMs },
  async () => {
    const page = await open();
    await train(page, midRun);
    await saveByHiding(page);
    const resume = await reloadAndResume(
      page,
      new RegExp(`can go on: iteration \\d+ of ${iterations}, saved this minute`),
    );
    // It may have been saved once more after the page said so: the next autosave was due, or the reload was its last
    // moment.
    const saved = await newestSave(page);
    expect(await page.getByRole('note').filter({ hasText: 'can go on' }).innerText()).toContain(
      `can go on: iteration ${saved} of`,
    );
    await expectAccessibleEverywhere(page, 'a saved run is offered');
    const seen = await recordStatus(page);
    await resume.click();
    await untilStatus(page, midRun);
    const steps = (await seen()).map((status) => Number(/iteration (\d+)\//.exec(status)![1]));
    expect(
      steps.find((step) => step > 0),
      'the first iteration that it showed',
    ).toBe(saved);
    expect(await page.getByRole('figure', { name: /^Success: .*(rose|fell|began)/ }).count()).toBe(1);
    await expectSameBits(page);
  },
);

test('the trainer worker crashes: another one takes the run from its last save', { timeout: longMs }, async () => {
  const page = await open();
  await train(page, midRun);
  await saveByHiding(page);
  await throwInWorker(page, 'thrown by a test');
  await expectNotice(
    page,
    /^The trainer stopped \(thrown by a test\) and was started again; the run goes on from iteration \d+\./,
  );
  await expectAccessibleEverywhere(page, 'the trainer was started again');
  await expectSameBits(page);
});
