/** Whether a run equals the run of the link it came from, in one sentence. */
import type { Reproduction } from '../worker/protocol';
import { formatPercent } from './format';

export interface Verdict {
  readonly kind: 'identical' | 'close' | 'different';
  readonly sentence: string;
}

/** Beyond this, curves of one config are no longer the same story told by another GPU's rounding. */
const closeDifference = 0.1;

/**
 * @param compared iterations that both sides have a digest of; a link carries those of its first iterations only
 * @param done iterations that this run has done
 * @param sameAdapter whether both ran on a GPU of the same name
 */
export function reproductionVerdict(found: Reproduction, compared: number, done: number, sameAdapter: boolean): Verdict {
  if (compared > 0 && found.identicalTo >= compared) {
    const last = done > compared ? ', the last that the link carries' : '';
    return { kind: 'identical', sentence: `Reproduced: identical to step ${found.identicalTo}${last}.` };
  }
  const where = sameAdapter ? 'not bit for bit' : 'other GPU';
  const until = found.identicalTo > 0 ? `identical to step ${found.identicalTo}, then ` : '';
  const text = `${until}same to ${formatPercent(found.difference)} (${where})`;
  if (found.difference <= closeDifference) return { kind: 'close', sentence: `Reproduced: ${text}.` };
  return {
    kind: 'different',
    sentence: `Not reproduced so far: ${until}success is up to ${formatPercent(found.difference)} away from the author's (${where}).`,
  };
}
