/** Decides whether a run continues after a lost device or numbers that are not finite, and what the page says. */
import { DeviceLost, type Device } from '../device/device';
import { NotFinite } from '../model/not-finite';
import { RunFault } from './faults';
import type { RunNotice } from './events';

/** More losses of the device within the window end the run. */
const maxLosses = 2;
const lossWindowMs = 60_000;
/** An adapter may be gone for a moment after the browser's GPU process died. */
const reopenDelaysMs = [0, 100, 300, 600, 1000];

export class Recovery {
  private lossesMs: number[] = [];
  private brokeAt: number | null = null;

  /**
   * @param place steps of the warm start plus iterations done when it broke
   * @returns what to say before the run continues from its last good state
   * @throws RunFault, or the error itself if it cannot be recovered from
   */
  after(error: unknown, place: number): RunNotice {
    if (error instanceof DeviceLost) return this.afterLoss(performance.now());
    if (error instanceof NotFinite) return this.afterBreak(error, place);
    throw error;
  }

  private afterLoss(nowMs: number): RunNotice {
    this.lossesMs = [...this.lossesMs.filter((each) => nowMs - each < lossWindowMs), nowMs];
    if (this.lossesMs.length > maxLosses)
      throw new RunFault(
        `The graphics device was lost ${this.lossesMs.length} times within a minute, so the run was stopped. ` +
          'Close other pages that use the GPU, then go on from the last save.',
        'resume',
      );
    return {
      kind: 'device-lost',
      sentence:
        'The graphics device was lost. The run goes on by itself from its last kept state, and nothing changes in it.',
      remedy: 'none',
    };
  }

  private afterBreak(error: NotFinite, place: number): RunNotice {
    if (this.brokeAt !== null && place <= this.brokeAt)
      throw new RunFault(
        `${error.message} Going back to the last good state did not help: it broke again.`,
        'halve-rate',
      );
    this.brokeAt = place;
    return {
      kind: 'rolled-back',
      sentence: `${error.message} The run went back to its last good state and goes on.`,
      remedy: 'none',
    };
  }
}

/** Opens a new device after a loss, with several attempts. @throws RunFault */
export async function reopenDevice(open: () => Promise<Device>): Promise<Device> {
  let last: unknown = null;
  for (const delayMs of reopenDelaysMs) {
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    try {
      return await open();
    } catch (error) {
      last = error;
    }
  }
  throw new RunFault(
    `The graphics device was lost and no new one could be opened: ${(last as Error).message}`,
    'resume',
  );
}
