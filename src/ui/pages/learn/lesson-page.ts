/** How a lesson is read: its pieces of prose, the keys that go through it, and its address. Pure. */

/** +1 for the next section, −1 for the one before, 0 for a key that is meant for something else. */
export function sectionStep(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target'>): number {
  if (event.ctrlKey || event.metaKey || event.altKey || usesArrows(event.target)) return 0;
  return event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
}

/** Sliders, radio buttons and lists of tokens have a use for the arrow keys themselves. */
function usesArrows(target: EventTarget | null): boolean {
  return (target as Element | null)?.closest?.('input, select, textarea, [role="listbox"]') != null;
}

export interface Part {
  readonly kind: 'text' | 'term' | 'code';
  readonly text: string;
}

export function partsOf(prose: string): Part[] {
  return prose.split(/(\*[^*]+\*|`[^`]+`)/).flatMap((piece): Part[] => {
    if (piece === '') return [];
    if (piece.length > 2 && piece.startsWith('*')) return [{ kind: 'term', text: piece.slice(1, -1) }];
    if (piece.length > 2 && piece.startsWith('`')) return [{ kind: 'code', text: piece.slice(1, -1) }];
    return [{ kind: 'text', text: piece }];
  });
}

/** What `#/learn…` shows: the list, the page for teachers, or the lesson of a number, from 1. */
export type LearnView = 'list' | 'teachers' | number;

export function learnView(hash: string, lessons: number): LearnView {
  const name = /^#\/learn\/([a-z0-9]+)/.exec(hash)?.[1];
  if (name === 'teachers') return name;
  const number = Number(name);
  return Number.isInteger(number) && number >= 1 && number <= lessons ? number : 'list';
}

export const addressOf = (view: LearnView): string => (view === 'list' ? '#/learn' : `#/learn/${view}`);
