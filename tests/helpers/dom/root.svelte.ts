/** Makes what has effects of its own, as a component would, for the length of a test. */
import { onTestFinished } from 'vitest';

export function inRoot<T>(make: () => T): T {
  let made!: T;
  onTestFinished($effect.root(() => void (made = make())));
  return made;
}

/** An object whose changes are seen. */
export function reactive<T extends object>(of: T): T {
  const held = $state(of);
  return held;
}
