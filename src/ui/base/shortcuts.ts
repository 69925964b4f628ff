/**
 * Which keys the Lab itself answers to, and the key of the palette. A focused chart answers to L itself.
 * Also the words of the list of keys.
 */

export interface ShortcutActions {
  readonly trainOrPause: () => void;
  readonly step: () => void;
  readonly reset: () => void;
  readonly chat: () => void;
  /** Reads the rollout so many rows below. */
  readonly read: (by: number) => void;
  readonly fit: () => void;
  /** Opens the environment editor. */
  readonly edit: () => void;
  readonly help: () => void;
}

/** What the Lab does while it is the open page. */
export interface LabActions extends ShortcutActions {
  /** Unfolds all settings; null while they are hidden. */
  readonly settings: (() => void) | null;
  readonly share: () => void;
  /** Opens a round in the agent's place. */
  readonly play: () => void;
  /** Unfolds the tables of the experiments. */
  readonly results: () => void;
}

export const isMac = (): boolean => /Mac/.test(navigator.platform);

/** Ctrl+K, on a Mac Cmd+K; a dialog that is open keeps its keys. */
export function opensPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const isKey = key.toLowerCase() === 'k' && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey);
  return isKey && !altKey && !shiftKey && !document.querySelector('dialog[open]');
}

const typed = 'input:not([type="range"], [type="checkbox"], [type="radio"]), select, textarea';
const targetOf = ({ target }: KeyboardEvent) => (target instanceof Element ? target : null);

/** Whether a key was pressed on the page; keys in fields and dialogs, also in one that is being loaded, are not. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  return !targetOf(event)?.closest(`${typed}, dialog, [contenteditable], body[aria-busy]`);
}

/** Handles a key pressed on the page; keys on controls are left to those. */
export function handleShortcut(event: KeyboardEvent, actions: ShortcutActions): void {
  if (event.repeat || !isForPage(event)) return;
  // Space and Enter press what has the focus; only a page without a focused control gives Space to the run.
  if (
    event.key === ' ' &&
    targetOf(event)?.closest('input, button, a, summary, [role="option"], [role="tab"], [role="row"], [tabindex="0"]')
  )
    return;
  const action = actionFor(event.key, actions);
  if (!action) return;
  event.preventDefault();
  action();
}

function actionFor(key: string, actions: ShortcutActions): (() => void) | undefined {
  switch (key) {
    case ' ':
      return actions.trainOrPause;
    case '.':
      return actions.step;
    case 'r':
    case 'R':
      return actions.reset;
    case 'c':
    case 'C':
      return actions.chat;
    case 'j':
    case 'J':
      return () => actions.read(1);
    case 'k':
    case 'K':
      return () => actions.read(-1);
    case 'e':
    case 'E':
      return actions.edit;
    case '0':
      return actions.fit;
    case '?':
      return actions.help;
    default:
      return undefined;
  }
}

export const text = {
  title: 'Keyboard',
  enabled: 'Single-key shortcuts',
  hint: 'Shortcuts are off while you type. Switch them off if a screen reader uses the same keys.',
  list: [
    ['Ctrl+K', 'every command, page, lesson and world'],
    ['Space', 'train or pause'],
    ['.', 'one iteration'],
    ['R', 'back to before iteration 1'],
    ['J K', 'next and previous rollout'],
    ['[ ]', 'agent of an earlier and a later iteration'],
    ['0', 'fit the charts'],
    ['C', 'talk to the agent'],
    ['E', 'edit an environment'],
    ['?', 'this list'],
  ] as const,
} as const;

/** A second click sooner than this belongs to a double click. */
const doubleClickMs = 400;

/** Whether a click is the second of a double click, whose first one was taken at this time. */
export const isSecondClick = ({ detail, timeStamp }: Pick<MouseEvent, 'detail' | 'timeStamp'>, firstMs: number) =>
  detail > 1 && timeStamp - firstMs < doubleClickMs;
