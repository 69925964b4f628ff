/** Ends of sentences that come from elsewhere: with one full stop, or with none. */

export function withoutStop(sentence: string): string {
  return sentence.trim().replace(/[.!]$/, '');
}

export function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence.trim()) ? sentence.trim() : `${sentence.trim()}.`;
}
