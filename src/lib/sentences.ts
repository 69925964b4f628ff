/** Full stops of sentences from elsewhere, and lists in words. */

export function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.!]$/, '');
}

export function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
}

/** In the English words: `iteration 4`, `iterations 4, 9 and 12`. @param steps ascending, at least one */
export function stepsInWords(steps: readonly number[]): string {
  const last = steps[steps.length - 1];
  return steps.length === 1 ? `iteration ${last}` : `iterations ${steps.slice(0, -1).join(', ')} and ${last}`;
}

/** What a caught value says. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
