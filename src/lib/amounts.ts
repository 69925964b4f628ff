/** Amounts, shares and settings as people read them, in the page and in the terminal. */

const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** 99,264 as `99.3K`. */
export const formatCompact = (value: number): string => compact.format(value);

/** 80,900,000 as `80.9 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${plain.format(bytes / 1e3)} kB`;
  if (bytes < 1e9) return `${plain.format(bytes / 1e6)} MB`;
  return `${plain.format(bytes / 1e9)} GB`;
}

/** The sign stays on the line of its number. */
export const inPercent = (digits: number | string): string => `${digits}\u00a0%`;

/** A share 0 … 1 as `94 %`; a small one keeps a decimal, so that it does not read as none. */
export const formatPercent = (share: number): string => {
  const percent = share * 100;
  return inPercent(percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent));
};

/** A setting: small values in powers of ten, as they are written in papers. */
export function formatSetting(value: number): string {
  return value !== 0 && Math.abs(value) < 0.001 ? value.toExponential() : String(value);
}
