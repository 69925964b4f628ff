/**
 * Numbers, dates and times as people read them, and how much is drawn of a text. Never used for values that a program
 * reads back.
 */

const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const rough = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const oneDecimal = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const twoDecimals = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'negative',
});
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

export const formatCount = (value: number): string => whole.format(value);
/** 15.37 as `15`, 9.24 as `9.2`. */
export const formatRough = (value: number): string => rough.format(value);
export const formatDate = (iso: string): string => (Number.isNaN(Date.parse(iso)) ? iso : date.format(new Date(iso)));

/** A difference with its sign and at most one decimal: `+3`, `−1.5`, `0`. */
export const formatSigned = (value: number): string => oneDecimal.format(value).replace('-', '−');

/** Rewards and advantages: `0.50`, `−1.20`; `signed` as `+0.50`. */
export const signed = (value: number): string => {
  const text = twoDecimals.format(Math.abs(value));
  return text === '0.00' ? text : `${value < 0 ? '−' : '+'}${text}`;
};

export const plain = (value: number): string => twoDecimals.format(value).replace('-', '−');

/** `48s`, `1m10s`, `2h05m`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.round(durationMs / 1000));
  if (seconds < 60) return `${seconds}s`;
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h${two(Math.floor((seconds % 3600) / 60))}m`;
}

/** An estimate, as roughly as it is known: `5 s`, `40 s`, `2 min`, `1.5 h`. */
export function formatAbout(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 10) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 55) return `${5 * Math.round(seconds / 5)} s`;
  if (seconds < 3300) return `${Math.max(1, Math.round(seconds / 60))} min`;
  return `${formatRough(seconds / 3600)} h`;
}

/** The length of a file, as limits name it: `12.5`. */
export const formatKibibytes = (bytes: number): string => (bytes / 1024).toFixed(1);

/** With three digits: 12.345 as `12.3`. */
export const formatPlain = (value: number): string => threeDigits.format(value);

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago something was: `this minute`, `2 minutes ago`, `yesterday`. */
export function formatAgo(agoMs: number): string {
  const minutes = Math.floor(Math.max(0, agoMs) / 60_000);
  if (minutes < 60) return ago.format(-minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? ago.format(-hours, 'hour') : ago.format(-Math.floor(hours / 24), 'day');
}

/** `1 step`, `3 steps`, in the English words. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A length of time in words: `1 minute`, `3 hours`. */
export function formatSpan(spanMs: number): string {
  const minutes = Math.max(1, Math.round(spanMs / 60_000));
  const [count, unit] = minutes < 90 ? [minutes, 'minute'] : [Math.round(minutes / 60), 'hour'];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}

/** A stranger's text may be of any length, and laying it out stops the page. */
export const maxDrawnCharacters = 8192;

/** The beginning of a text, whole characters only. */
export function beginningOf(text: string, maxCharacters = maxDrawnCharacters): string {
  if (text.length <= maxCharacters) return text;
  const isPairCut = /[\uD800-\uDBFF]/.test(text[maxCharacters - 1]);
  return text.slice(0, isPairCut ? maxCharacters - 1 : maxCharacters);
}

/** A text for a place with room for a line: a button, a row of a list. */
export function lineOf(text: string, maxCharacters = 300): string {
  const beginning = beginningOf(text, maxCharacters);
  return beginning.length < text.length ? `${beginning}…` : text;
}
