/** Parsing of number fields, and the steps of their arrow keys. */
import { formatSetting } from '../../base/format';
import { text as setup } from './text';

const words = setup.invalid;

/** The value of a text, or a sentence that states the allowed range. */
export function readNumber(
  text: string,
  field: { readonly title: string; readonly kind: string; readonly min?: number; readonly max?: number },
): number | string {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const whole = field.kind === 'integer';
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  if (Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  if (!Number.isFinite(min) || !Number.isFinite(max)) return words.kind(field.title, whole);
  return words.range(field.title, whole, formatSetting(min), formatSetting(max));
}

/** The next value of the 1, 2, 5 series above (or below) a value: how fields of scale `log` step. */
export function nextOnLogScale(value: number, up: boolean): number {
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const candidates = [-1, 0, 1].flatMap((shift) => [1, 2, 5].map((digit) => Number(`${digit}e${exponent + shift}`)));
  const beyond = candidates.filter((candidate) => (up ? candidate > value * 1.0001 : candidate < value * 0.9999));
  return up ? Math.min(...beyond) : Math.max(...beyond);
}

/** Weights that a term of a reward may have. */
export const rewardRange = { min: -10, max: 10 } as const;
