/**
 * One run survives two great faults of a long run in a browser tab: the page is reloaded, and the GPU's process
 * crashes. faults.full.test.ts has the others, and compares the bits.
 */
import { test } from 'vitest';
import { expectNextIteration, midRun, openEndless, reloadAndResume, train } from '../helpers/broken-run';
import { expectAccessible } from '../helpers/browser';
import { crashGpuProcess } from '../helpers/faults';
import { longMs } from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

test(
  'the page is reloaded, and then the GPU’s process crashes: the run goes on each time',
  { timeout: longMs },
  async () => {
    const page = await openEndless({ device: 'gpu' });
    await train(page, midRun);
    await saveByHiding(page);
    const resume = await reloadAndResume(page, /can go on: iteration \d+ of 10000, saved this minute/);
    await expectAccessible(page, 'a saved run is offered');
    await resume.click();
    await expectNextIteration(page);

    await saveByHiding(page);
    await crashGpuProcess(page.context().browser()!);
    await expectNotice(page, /The graphics device was lost\. The run goes on by itself/);
    await expectNextIteration(page);
    await page.context().browser()!.close();
  },
);
