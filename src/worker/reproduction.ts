/** How a run stands to the author's of the link it was begun from. */
import { identicalTo } from '../lib/fingerprint';
import type { OpenedLink, Reproduction } from './protocol';

/** Null if the link carries nothing to compare with. */
export function reproductionOf(author: OpenedLink, curve: readonly number[], fingerprint: readonly string[]): Reproduction | null {
  if (!author.fingerprint) return null;
  const difference = author.curve === null || author.reached === null ? 0 : largestDifference(curve, author.curve, author.reached);
  return { identicalTo: identicalTo(fingerprint, author.fingerprint.slice(0, fingerprint.length)), difference };
}

/** Largest difference between a curve and an author's, whose points are spread evenly over `reached` iterations. */
function largestDifference(curve: readonly number[], author: readonly number[], reached: number): number {
  let largest = 0;
  for (let i = 0; i < Math.min(curve.length, reached); i++) {
    const at = reached === 1 ? 0 : (i * (author.length - 1)) / (reached - 1);
    const left = Math.floor(at);
    const value = author[left] + ((author[left + 1] ?? author[left]) - author[left]) * (at - left);
    largest = Math.max(largest, Math.abs(curve[i] - value));
  }
  return largest;
}
