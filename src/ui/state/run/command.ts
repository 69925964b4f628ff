/** Something that a button, a key or the palette can do: one value says whether, for all of them. */

export interface Command<Args extends readonly unknown[] = []> {
  /** Why it cannot be done now, a sentence; null if it can. */
  readonly why: string | null;
  readonly run: (...args: Args) => void;
}

/**
 * @param why reads state, so that what shows it follows
 * @param refuse what a press does while there is a reason; nothing without it
 */
export function command<Args extends readonly unknown[]>(
  why: () => string | null,
  act: (...args: Args) => void,
  refuse: () => void = () => undefined,
): Command<Args> {
  return {
    get why() {
      return why();
    },
    run: (...args) => (why() === null ? act(...args) : refuse()),
  };
}
