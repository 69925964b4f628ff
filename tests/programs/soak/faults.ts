/**
 * The faults of a soak, in the order in which they come round: what breaks, what the page must say, and what a person
 * then presses.
 */
import type { Page } from '@playwright/test';
import {
  blockWorker,
  catchDeviceIn,
  clearSiteData,
  crashGpuProcess,
  destroyDevice,
  limitStorage,
  makeInvalidBuffer,
  setVisible,
  throwInWorker,
  trainerWorker,
  writeNaN,
} from '../../helpers/faults';

export interface Fault {
  readonly name: string;
  readonly inject: (page: Page) => Promise<unknown>;
  /** The page's sentence; none where nothing needs to be said. */
  readonly sentence?: RegExp;
  /** The button that mends it; where there is none, the run goes on by itself. */
  readonly press?: string;
}

const storageRestMs = 10_000;

export const faults: readonly Fault[] = [
  {
    name: 'the GPU process crashes',
    inject: (page) => crashGpuProcess(page.context().browser()!),
    sentence: /The graphics device was lost\. The run goes on/,
  },
  { name: 'the page is reloaded', inject: (page) => page.reload(), sentence: /can go on: /, press: 'Resume' },
  {
    name: 'a weight becomes NaN',
    inject: (page) => writeNaN(trainerWorker(page), 'parameters'),
    sentence: /went back to its last good state/,
  },
  {
    name: 'the trainer worker throws',
    inject: (page) => throwInWorker(page, 'thrown by the soak'),
    sentence: /The trainer stopped \(/,
  },
  {
    name: 'the tab is hidden for a while',
    inject: async (page) => {
      await setVisible(page, false);
      await page.waitForTimeout(storageRestMs);
      await setVisible(page, true);
    },
  },
  {
    name: 'the device is destroyed',
    inject: (page) => destroyDevice(trainerWorker(page)),
    sentence: /The graphics device was lost\. The run goes on/,
  },
  {
    name: 'storage is full',
    inject: async (page) => {
      await limitStorage(page, 20_000);
      await setVisible(page, false);
      await page.waitForTimeout(storageRestMs);
      await limitStorage(page, null);
      await setVisible(page, true);
    },
  },
  {
    name: 'the GPU reports an error',
    inject: (page) => makeInvalidBuffer(trainerWorker(page)),
    sentence: /The GPU reported an error/,
    press: 'Resume',
  },
  { name: 'the site’s data is cleared', inject: clearSiteData },
  { name: 'the trainer worker is stuck', inject: blockWorker, sentence: /no sign of life/ },
];

/** Each new trainer worker of the page gives its device and buffers away to the faults. */
export function catchDevices(page: Page): void {
  page.on('worker', (worker) => {
    // A page that is reloaded at once takes its worker along.
    if (/#trainer$/.test(worker.url())) void catchDeviceIn(worker).catch(() => undefined);
  });
}
