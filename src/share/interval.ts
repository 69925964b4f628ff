/**
 * What the two numbers beside a mean over seeds are. Apart from the format, so that a page that shows it need not load
 * a reader of it.
 */

/** With fewer values a bootstrap of their mean hardly ever leaves their range, so it covers far less than it claims. */
export const minForInterval = 6;

/** Whether a table shows the range of its seeds instead of an interval. */
export const showsRange = (rows: readonly { readonly seeds: readonly unknown[] }[]): boolean =>
  rows.every(({ seeds }) => seeds.length < minForInterval);
