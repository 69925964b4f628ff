/** Full stops of sentences from elsewhere, and lists in words. */

export function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.!]$/, '');
}

export function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
}

/** In the English words: `step 4`, `steps 4, 9 and 12`. @param steps ascending, at least one */
export function stepsInWords(steps: readonly number[]): string {
  const last = steps[steps.length - 1];
  return steps.length === 1 ? `step ${last}` : `steps ${steps.slice(0, -1).join(', ')} and ${last}`;
}
