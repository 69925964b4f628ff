/** Compares a run with the author's run of the link that it was started from. */
import { identicalTo } from '../lib/fingerprint';
import type { ValidationPoint } from '../share/link';
import { reachedBy } from '../share/reached';
import type { Reproduction } from './events';
import type { OpenedLink } from '../config/run-link';

/** This run so far. */
export interface OwnRun {
  /** Success in practice, one value an iteration. */
  readonly practice: readonly number[];
  readonly validation: readonly ValidationPoint[];
  readonly fingerprint: readonly string[];
}

/** Success of both runs at one iteration. */
interface Pair {
  readonly iteration: number;
  readonly own: number;
  readonly author: number;
}

/** Null while nothing of the link can be compared. */
export function reproductionOf(author: OpenedLink, own: OwnRun): Reproduction | null {
  const digests = Math.min(author.fingerprint?.length ?? 0, own.fingerprint.length);
  const pairs = author.validation
    ? validationPairs(author.validation, own.validation)
    : practicePairs(author, own.practice);
  if (digests === 0 && pairs.length === 0) return null;
  return {
    digests,
    identicalTo: digests === 0 ? 0 : identicalTo(own.fingerprint.slice(0, digests), author.fingerprint!),
    comparedTo: pairs.at(-1)?.iteration ?? 0,
    difference: Math.max(0, ...pairs.map(({ own, author }) => Math.abs(own - author))),
  };
}

/** Where both were validated. */
function validationPairs(author: readonly ValidationPoint[], own: readonly ValidationPoint[]): Pair[] {
  const at = new Map(own.map(({ iteration, success }) => [iteration, success]));
  return author.flatMap(({ iteration, success }) => {
    const ours = at.get(iteration);
    return ours === undefined ? [] : [{ iteration, own: ours, author: success }];
  });
}

/** At the author's places, interpolated between iterations, that this run has reached. */
function practicePairs(author: OpenedLink, own: readonly number[]): Pair[] {
  return (reachedBy(author)?.points ?? []).flatMap(({ x, y }) => {
    const at = x - 1;
    if (at > own.length - 1) return [];
    const left = Math.floor(at);
    const right = Math.min(own.length - 1, left + 1);
    return [{ iteration: left + 1, own: own[left] + (own[right] - own[left]) * (at - left), author: y }];
  });
}
