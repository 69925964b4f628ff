/** Adds or removes the full stop of a sentence from elsewhere. */

export function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.!]$/, '');
}

export function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
}
