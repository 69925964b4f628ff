/** Texts of lessons with a little markup: `*a term*` where it is introduced, and code between backticks. Pure. */

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
