/** Holds a press that comes too early until it is known whether there is a GPU, or until the reset run has ended. */

/** Reasons to wait. */
export type Waiting = 'gpu' | 'stop';

export class PressQueue {
  /** A run was reset and has not ended yet. */
  stopping = $state(false);
  pressed = $state.raw<(() => void) | null>(null);
  readonly waitsFor: Waiting | null = $derived.by(() => (this.stopping ? 'stop' : this.isLooking() ? 'gpu' : null));

  /** @param isLooking whether it is still unknown if there is a GPU */
  constructor(private readonly isLooking: () => boolean) {}

  /** @returns whether the press has to wait; then it replaces the one that waits */
  takes(press: () => void): boolean {
    if (this.waitsFor) this.pressed = press;
    return this.pressed !== null;
  }

  /** Runs the press that waits. */
  release(): void {
    const press = this.pressed;
    this.drop();
    press?.();
  }

  drop(): void {
    this.stopping = false;
    this.pressed = null;
  }
}
