/** Which keys the Lab itself answers to. A focused chart answers to L, the rollouts to J and K, themselves. */

export interface ShortcutActions {
  readonly trainOrPause: () => void;
  readonly step: () => void;
  readonly reset: () => void;
  readonly chat: () => void;
  readonly fit: () => void;
  readonly help: () => void;
}

/** Handles a key pressed on the page; keys in fields, on controls and in dialogs are left to those. */
export function handleShortcut(event: KeyboardEvent, actions: ShortcutActions): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || event.repeat) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('input, select, textarea, dialog, [contenteditable]')) return;
  // Space and Enter press what has the focus; only a page without a focused control gives Space to the run.
  if (
    event.key === ' ' &&
    target?.closest('button, a, summary, [role="option"], [role="tab"], [role="row"], [tabindex="0"]')
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
    case '0':
      return actions.fit;
    case '?':
      return actions.help;
    default:
      return undefined;
  }
}
