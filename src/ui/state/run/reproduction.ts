/** Whether a run equals the run of the link it came from, in one sentence. */
import type { Reproduction } from '../../../run/events';
import { formatPercent } from '../../../lib/amounts';
import type { Point } from '../../../share/line-svg';
import { text } from './share-text';

const words = text.reproduction;

export interface ReproductionResult {
  /** `partial`: what was compared agrees, and the link says more than was compared. */
  readonly kind: 'identical' | 'close' | 'partial' | 'different';
  readonly sentence: string;
}

/** Beyond this, curves of one config are no longer the same story told by another device's rounding. */
const closeDifference = 0.1;
/** Beyond this, runs of equal bits differ by more than the rounding in a link: old ones have a byte for each point. */
const equalDifference = 0.005;

/**
 * Identical or close only once everything that the link says was compared: its last point and, for identical, all of
 * its digests.
 * @param carried digests that the link holds
 * @param last where the author's curve ends; null if the link has none
 * @param sameAdapter whether both ran on the CPU, or on a GPU of the same name
 */
export function describeReproduction(
  found: Reproduction,
  carried: number,
  last: Point | null,
  sameAdapter: boolean,
): ReproductionResult {
  const { digests, identicalTo, comparedTo, difference } = found;
  const where = words.where(sameAdapter);
  const place = words.place(comparedTo, last?.x ?? 0);
  const equalBits = digests > 0 && identicalTo === digests;
  // Equal bits give equal success, so equal digests prove nothing beside a curve that differs.
  if (difference > (equalBits ? equalDifference : closeDifference)) {
    return {
      kind: 'different',
      sentence: words.curveDiffers(formatPercent(difference), place, equalBits ? null : where),
    };
  }
  const rest = notCompared(last, comparedTo);
  if (equalBits) {
    const more = rest ?? (digests < carried ? words.moreDigests(carried) : null);
    if (more !== null) return { kind: 'partial', sentence: words.bitsSoFar(identicalTo, more) };
    return { kind: 'identical', sentence: words.identical(identicalTo, carried) };
  }
  if (comparedTo === 0) return { kind: 'different', sentence: words.bitsDiffer(identicalTo + 1, where) };
  if (rest !== null)
    return { kind: 'partial', sentence: words.closeSoFar(formatPercent(difference), place, where, rest) };
  return { kind: 'close', sentence: words.close(formatPercent(difference), place, where, identicalTo) };
}

/** That the author's last point was not compared; null if it was. */
function notCompared(last: Point | null, comparedTo: number): string | null {
  if (last === null) return words.noClaim;
  return comparedTo >= last.x ? null : words.notCompared(formatPercent(last.y), last.x);
}
