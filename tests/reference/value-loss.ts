/** Float64 reference of the clipped value loss: ½ · aggregate of max((v − R)², (clamp(v, old ± clip) − R)²). */
import { clamp } from './policy-loss';

export interface TokenValueLoss {
  /** Before the factor ½. */
  readonly loss: number;
  /** d loss / d value, before the factor ½. */
  readonly gradient: number;
  readonly clipped: number;
}

export function valueLoss(value: number, oldValue: number, returns: number, clip: number): TokenValueLoss {
  const bounded = clamp(value, oldValue - clip, oldValue + clip);
  const plain = (value - returns) ** 2;
  const limited = (bounded - returns) ** 2;
  const isClipped = limited > plain;
  const flows = !isClipped || bounded === value;
  return { loss: Math.max(plain, limited), gradient: flows ? 2 * (value - returns) : 0, clipped: isClipped ? 1 : 0 };
}
