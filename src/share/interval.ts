/** Whether a table shows intervals or ranges. A file of its own, so that the page need not load the results' schema. */

/** With fewer values, a bootstrap interval of the mean covers far less than 95 %. */
export const minForInterval = 6;

export const showsRange = (rows: readonly { readonly seeds: readonly unknown[] }[]): boolean =>
  rows.every(({ seeds }) => seeds.length < minForInterval);
