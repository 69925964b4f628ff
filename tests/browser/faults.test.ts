/**
 * One run survives the three great faults of a long run in a browser tab: the trainer worker, the page and the GPU's
 * process. faults.full.test.ts compares its bits, too.
 */
import { test } from 'vitest';
import { expectNextIteration, midRun, openEndless, reloadAndResume, train } from '../helpers/broken-run';
import { expectAccessible } from '../helpers/browser';
import { crashGpuProcess, throwInWorker } from '../helpers/faults';
import { longMs } from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

test(
  'the trainer worker, the page and the GPU’s process end: the run goes on each time',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await train(page, midRun);
    await saveByHiding(page);
    await throwInWorker(page, 'thrown by a test');
    await expectNotice(
      page,
      /^The trainer stopped \(thrown by a test\) and was started again; the run goes on from step \d+\./,
    );
    await expectNextIteration(page);

    await saveByHiding(page);
    const resume = await reloadAndResume(page, /can go on: step \d+ of 10000, saved just now/);
    await expectAccessible(page, 'a saved run is offered');
    await resume.click();
    await expectNextIteration(page);

    await saveByHiding(page);
    await crashGpuProcess(page.context().browser()!);
    await expectNotice(page, /The graphics device was lost\. The run goes on by itself/);
    await expectNextIteration(page);
  },
);
