/** Whether a run equals the run of the link it came from, in one sentence. */
import type { Reproduction } from '../../worker/protocol';
import { formatPercent } from '../shell/format';

export interface ReproductionResult {
  readonly kind: 'identical' | 'close' | 'different';
  readonly sentence: string;
}

/** Beyond this, curves of one config are no longer the same story told by another GPU's rounding. */
const closeDifference = 0.1;

/**
 * @param carried digests that the link holds
 * @param last iteration at which the author's curve ends
 * @param sameAdapter whether both ran on a GPU of the same name
 */
export function describeReproduction(
  found: Reproduction,
  carried: number,
  last: number,
  sameAdapter: boolean,
): ReproductionResult {
  const { digests, identicalTo, comparedTo, difference } = found;
  const where = sameAdapter ? 'not bit for bit' : 'other GPU';
  const place = `${comparedTo === 1 ? 'at step 1' : `up to step ${comparedTo}`}${comparedTo < last ? ` of ${last}` : ''}`;
  const equal = identicalTo === 1 ? 'The first step matches' : `The first ${identicalTo} steps match`;
  if (difference > closeDifference) {
    // Equal bits have equal success: beside a curve that differs, digests prove nothing.
    const despite = digests > 0 && identicalTo === digests ? ', although the fingerprints match' : ` (${where})`;
    return {
      kind: 'different',
      sentence: `Not the same run: success differs by up to ${formatPercent(difference)} ${place}${despite}.`,
    };
  }
  if (digests > 0 && identicalTo === digests)
    return { kind: 'identical', sentence: `Same run: ${lowerFirst(equal)} bit for bit (the link holds ${carried}).` };
  if (comparedTo === 0)
    return { kind: 'different', sentence: `Not the same bits: step ${identicalTo + 1} differs (${where}).` };
  const bits = identicalTo > 0 ? ` ${equal} bit for bit.` : '';
  return {
    kind: 'close',
    sentence: `Reproduced: success differs by at most ${formatPercent(difference)} ${place} (${where}).${bits}`,
  };
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);
