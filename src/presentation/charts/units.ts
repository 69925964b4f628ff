/** Numbers on charts, by unit. */
import { inPercent } from '../../lib/amounts';
import { healthyRanges, type Diagnostic } from '../../share/health';

export type Unit = 'share' | 'number' | 'rate' | 'ms';

/** A number that rounds to 0 has no sign. */
const unsigned0 = { signDisplay: 'negative' } as const;
const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, ...unsigned0 });
/** Of numbers below 1, such as rewards: more digits are noise. */
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2, ...unsigned0 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3, ...unsigned0 });
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1, ...unsigned0 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0, ...unsigned0 });

/** `share` is 0 … 1 shown in percent; `ms` becomes seconds from 1,000 on; a missing value is an en dash. */
export function format(value: number | null | undefined, unit: Unit): string {
  if (value == null || !Number.isFinite(value)) return '–';
  switch (unit) {
    case 'share': {
      const percent = value * 100;
      return inPercent((Math.abs(percent) < 10 ? oneDecimal : whole).format(percent));
    }
    case 'rate':
      return `${compact.format(value)}/s`;
    case 'ms':
      return value >= 1000 ? `${significant.format(value / 1000)} s` : `${significant.format(value)} ms`;
    case 'number':
      if (Math.abs(value) > 0 && Math.abs(value) < 1e-3) return value.toExponential(1);
      return (Math.abs(value) < 1 ? twoDigits : significant).format(value);
  }
}

/** The same with a minus sign, not a hyphen. */
export const formatWithMinus = (value: number, unit: Unit): string => format(value, unit).replace(/^-/, '−');

const plain = new Intl.NumberFormat('en');

/** A place on the x axis. */
export const formatStep = (step: number): string => plain.format(step);

/** The same, short enough for an axis. */
export function formatTick(value: number, unit: Unit): string {
  switch (unit) {
    case 'share':
      return `${oneDecimal.format(value * 100)} %`;
    case 'ms':
      return `${significant.format(value / 1000)} s`;
    default:
      return value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e4)
        ? shortExponent(value)
        : significant.format(value);
  }
}

function shortExponent(value: number): string {
  return Math.abs(value) >= 1 ? compact.format(value) : value.toExponential(0);
}

/** The highest healthy value, in words. */
export const healthyMax = (of: Diagnostic, unit: Unit = 'share'): string => format(healthyRanges[of][1], unit);
