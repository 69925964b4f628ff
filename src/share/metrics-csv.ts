/** Metrics of a run as a file of comma-separated values. */

type Cell = string | number | boolean | null;

/**
 * One row per iteration. Named counts become columns like `rewardTerms.<name>`, after the others. Missing values are
 * empty; a column that was never measured is left out, unless every run has it.
 */
export function metricsCsv(metrics: readonly object[]): string {
  if (metrics.length === 0) return '';
  const rows = metrics.map((row) => new Map(cellsOf(row)));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const columns = [...names.filter((name) => !name.includes('.')), ...names.filter((name) => name.includes('.'))];
  const lines = [columns, ...rows.map((row) => columns.map((column) => row.get(column) ?? null))];
  return lines.map((cells) => `${cells.map(written).join(',')}\n`).join('');
}

/** What is in a record, however deep, under dotted names. */
export function cellsOf(record: object, prefix = ''): [string, Cell][] {
  return Object.entries(record).flatMap(([key, value]: [string, unknown]): [string, Cell][] => {
    const name = prefix + key;
    if (typeof value === 'object' && value !== null) return cellsOf(value, `${name}.`);
    return value === undefined || (value === null && prefix !== '') ? [] : [[name, value as Cell]];
  });
}

function written(cell: Cell): string {
  if (cell === null) return '';
  const words = String(typeof cell === 'boolean' ? Number(cell) : cell);
  return /[",\n\r]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
}
