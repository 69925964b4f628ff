/** Values of fields as people write and read them, and the steps of their arrow keys. Pure. */
import { formatSetting } from '../lib/amounts';

/** Weights that a term of a reward may have. */
export const rewardRange = { min: -10, max: 10 } as const;

export function formatValue(value: number | string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'number' ? formatSetting(value) : value;
}

/** The value of a text, or a sentence that states the allowed range. */
export function readNumber(
  text: string,
  field: { readonly title: string; readonly kind: string; readonly min?: number; readonly max?: number },
): number | string {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const whole = field.kind === 'integer';
  const { title, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  if (Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  const needed = `${title} must be ${whole ? 'a whole number' : 'a number'}`;
  if (!Number.isFinite(min) || !Number.isFinite(max)) return `${needed}.`;
  return `${needed} from ${formatSetting(min)} to ${formatSetting(max)}.`;
}

/** The next value of the 1, 2, 5 series above (or below) a value: how fields of scale `log` step. */
export function nextOnLogScale(value: number, up: boolean): number {
  const exponent = Number(value.toExponential().split('e')[1]);
  const candidates = [-1, 0, 1].flatMap((shift) => [1, 2, 5].map((digit) => Number(`${digit}e${exponent + shift}`)));
  const beyond = candidates.filter((candidate) => (up ? candidate > value * 1.0001 : candidate < value * 0.9999));
  return up ? Math.min(...beyond) : Math.max(...beyond);
}
