/** The trainer worker crashes again and again, or is stuck: another one takes the run, or a person decides. */
import { test } from 'vitest';
import { expectNextIteration, midRun, openEndless, train } from '../helpers/broken-run';
import { blockWorker, throwInWorker } from '../helpers/faults';
import { button, longMs, untilStatus } from '../helpers/lab';
import { expectFailure, expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

test('the trainer worker crashes four times at one place: then a person decides', { timeout: longMs }, async () => {
  const page = await openEndless();
  await train(page, midRun);
  // A pause saves the run too, but not one that stands in the middle of an update.
  await saveByHiding(page);
  await button(page, 'Pause').click();
  await untilStatus(page, /^Paused/);
  for (let crash = 1; crash <= 3; crash++) {
    await throwInWorker(page, `crash ${crash}`);
    await expectNotice(page, new RegExp(`crash ${crash}\\) and was started again`));
    await untilStatus(page, /^Paused/);
  }
  await throwInWorker(page, 'crash 4');
  const resume = await expectFailure(page, /stopped again and again: .*crash 4/, 'Resume');
  await resume.click();
  await expectNextIteration(page);
});

test(
  'the trainer worker is stuck: after 20 silent seconds another one takes the run',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await train(page, midRun);
    await saveByHiding(page);
    await blockWorker(page);
    await expectNotice(page, /no sign of life for 20 seconds.*was started again/);
    await expectNextIteration(page);
  },
);
