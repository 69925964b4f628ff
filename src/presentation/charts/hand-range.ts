/** The range of a chart's y axis as somebody types it. Pure. */
import { text } from './text';
import type { Unit } from './units';

/** In the chart's own numbers; null: as far as the values reach. */
export interface HandEnds {
  readonly low: number | null;
  readonly high: number | null;
}

export const automatic: HandEnds = { low: null, high: null };

export const isByHand = ({ low, high }: HandEnds): boolean => low !== null || high !== null;

export interface HandRange extends HandEnds {
  /** Why what is typed is no range. Both ends are then null. */
  readonly problem: string | null;
}

/** What one typed step is in the chart's own numbers: shares are typed in percent, times in seconds. */
const scales: Readonly<Record<Unit, number>> = { share: 0.01, ms: 1000, rate: 1, number: 1 };

/** What stands behind a typed number. */
export const typedUnit = (unit: Unit): string => ({ share: '%', ms: 's', rate: '/s', number: '' })[unit];

/** @param low what is typed as the lower end; blank leaves it to the values @param log the axis is logarithmic */
export function handRange(low: string, high: string, unit: Unit, log: boolean): HandRange {
  const ends = [low, high].map((typed) => (typed.trim() === '' ? null : Number(typed) * scales[unit]));
  const [bottom, top] = ends;
  const refuse = (problem: string): HandRange => ({ ...automatic, problem });
  if (ends.some((end) => end !== null && !(Math.abs(end) < 1e100))) return refuse(text.hand.noNumber);
  if (log && ends.some((end) => end !== null && end <= 0)) return refuse(text.hand.notPositive);
  if (bottom !== null && top !== null && bottom >= top) return refuse(text.hand.reversed);
  return { low: bottom, high: top, problem: null };
}

/** The range of the values with ends by hand in place of its own; an end that leaves none of it moves the other. */
export function withHand([low, high]: readonly [number, number], hand: HandEnds): [number, number] {
  const bottom = hand.low ?? low;
  const top = hand.high ?? high;
  if (bottom < top) return [bottom, top];
  const span = high - low;
  return hand.low === null ? [top - span, top] : [bottom, bottom + span];
}
