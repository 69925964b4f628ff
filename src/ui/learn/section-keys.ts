/** Keys that go from section to section in a room. */

/** +1 for the next section, −1 for the one before, 0 for a key that is meant for something else. */
export function sectionStep(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): number {
  if (event.ctrlKey || event.metaKey || event.altKey || usesArrows(event.target)) return 0;
  return event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
}

/** Sliders, radio buttons and lists of tokens have a use for the arrow keys themselves. */
function usesArrows(target: EventTarget | null): boolean {
  return (target as Element | null)?.closest?.('input, select, textarea, [role="listbox"]') != null;
}
