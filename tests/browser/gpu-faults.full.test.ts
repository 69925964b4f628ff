/** Faults of the GPU in the built page: one sentence each with at most one thing to press, and the run goes on. */
import { expect, test } from 'vitest';
import { expectNextIteration, midRun, openEndless, train } from '../helpers/broken-run';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { breakShader, catchDevice, destroyDevice, failBuffers, makeInvalidBuffer, writeNaN } from '../helpers/faults';
import { longMs, openShare, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { expectFailure, expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

test('the device is destroyed twice, and then too often', { timeout: longMs }, async () => {
  const page = await openEndless({ device: 'gpu' });
  await untilReady(page);
  const worker = await catchDevice(page);
  await train(page, midRun);
  await saveByHiding(page);
  for (let loss = 1; loss <= 2; loss++) {
    await destroyDevice(worker);
    const notice = await expectNotice(page, /The graphics device was lost\. The run goes on by itself/);
    await untilStatus(page, /^RL iteration/);
    await notice.getByRole('button', { name: 'Dismiss' }).click();
  }
  await destroyDevice(worker);
  const resume = await expectFailure(page, /lost 3 times within a minute/, 'Resume');
  await resume.click();
  await expectNextIteration(page);
});

test('an error that nobody asked for stops the run before its numbers are used', { timeout: longMs }, async () => {
  const page = await openEndless({ device: 'gpu', expected: /usage|Buffer|test/i });
  await untilReady(page);
  const worker = await catchDevice(page);
  await train(page, midRun);
  await saveByHiding(page);
  await makeInvalidBuffer(worker);
  const resume = await expectFailure(page, /The GPU reported an error.*cannot be trusted/, 'Resume');
  await expectAccessibleEverywhere(page, 'the run is tainted');
  await resume.click();
  await expectNextIteration(page);
});

test('there is no memory for the run: half the batch is one press away', { timeout: longMs }, async () => {
  const page = await openEndless({ device: 'gpu' });
  await untilReady(page);
  await failBuffers(page, 1, 100_000);
  await trainButton(page).click();
  const halve = await expectFailure(page, /not enough graphics memory/, 'Halve the batch and start over');
  await halve.click();
  await expectNextIteration(page);
  expect(await openShare(page)).toMatch(/tasks=4&/);
});

test('a shader does not compile: the page shows which and where', { timeout: longMs }, async () => {
  const page = await openEndless({ device: 'gpu' });
  await untilReady(page);
  await breakShader(page, 'policy-loss.forward');
  await trainButton(page).click();
  const again = await expectFailure(
    page,
    /The GPU refused this run:.*this is no WGSL.*policy-loss\.forward/s,
    'Start over',
  );
  await again.click();
  await expectNextIteration(page);
});

test('a number in the weights is not finite any more: the run goes back and on', { timeout: longMs }, async () => {
  const page = await openEndless({ device: 'gpu' });
  await untilReady(page);
  const worker = await catchDevice(page);
  await train(page, midRun);
  await saveByHiding(page);
  await writeNaN(worker, 'parameters');
  await expectNotice(page, /The run went back to its last good state and goes on\./);
  await expectNextIteration(page);
});
