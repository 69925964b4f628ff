/** Whether a run equals the run of the link it came from, in one sentence. */
import type { Reproduction } from '../../worker/protocol';
import { formatPercent } from '../shell/format';
import { text } from './text';

const words = text.reproduction;

export interface ReproductionResult {
  readonly kind: 'identical' | 'close' | 'different';
  readonly sentence: string;
}

/** Beyond this, curves of one config are no longer the same story told by another device's rounding. */
const closeDifference = 0.1;

/**
 * @param carried digests that the link holds
 * @param last iteration at which the author's curve ends
 * @param sameAdapter whether both ran on the CPU, or on a GPU of the same name
 */
export function describeReproduction(
  found: Reproduction,
  carried: number,
  last: number,
  sameAdapter: boolean,
): ReproductionResult {
  const { digests, identicalTo, comparedTo, difference } = found;
  const where = words.where(sameAdapter);
  const place = words.place(comparedTo, last);
  if (difference > closeDifference) {
    // Equal bits give equal success, so equal digests prove nothing beside a curve that differs.
    const despite = digests > 0 && identicalTo === digests;
    return {
      kind: 'different',
      sentence: words.curveDiffers(formatPercent(difference), place, despite ? null : where),
    };
  }
  if (digests > 0 && identicalTo === digests)
    return { kind: 'identical', sentence: words.identical(identicalTo, carried) };
  if (comparedTo === 0) return { kind: 'different', sentence: words.bitsDiffer(identicalTo + 1, where) };
  return { kind: 'close', sentence: words.close(formatPercent(difference), place, where, identicalTo) };
}
