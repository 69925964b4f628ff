/** Sends the text of a rollout that is being sampled, at most ten times a second. */
import type { LiveStep } from '../agent/flow';
import type { RunEvent } from './events';

const intervalMs = 100;

export class LiveText {
  private lastMs = 0;

  constructor(private readonly emit: (event: RunEvent) => void) {}

  /** Shows the first of the steps that a turn is made of, unless one was shown a moment ago. */
  show([first]: readonly LiveStep[]): void {
    const nowMs = performance.now();
    if (nowMs - this.lastMs < intervalMs || first === undefined) return;
    this.lastMs = nowMs;
    this.emit({ type: 'live', prompt: first.task.prompt, text: first.step.action.text });
  }
}
