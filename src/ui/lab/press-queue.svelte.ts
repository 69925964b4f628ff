/** A press that comes too early is not lost: it waits until there is a GPU, or until the run before is put away. */

/** What a press waits for. */
export type Waiting = 'gpu' | 'stop';

export class PressQueue {
  /** A run was reset and is still being put away. */
  stopping = $state(false);
  pressed = $state.raw<(() => void) | null>(null);
  readonly waitsFor: Waiting | null = $derived.by(() => (this.stopping ? 'stop' : this.isLooking() ? 'gpu' : null));

  /** @param isLooking whether it is still unknown which GPU there is */
  constructor(private readonly isLooking: () => boolean) {}

  /** @returns whether the press has to wait; then it is the one that waits */
  takes(press: () => void): boolean {
    if (this.waitsFor) this.pressed = press;
    return this.pressed !== null;
  }

  /** What was waited for is there. */
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
