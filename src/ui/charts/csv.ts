/** The metrics that the page holds of a run as comma-separated values, exactly as the run reported them. */
import type { Metrics } from '../../worker/protocol';

/** One row an iteration; what is counted by name becomes columns like `rewardTerms.<name>`; what was not measured is empty. */
export function metricsCsv(metrics: readonly Metrics[]): string {
  if (metrics.length === 0) return '';
  const keys = Object.keys(metrics[0]) as (keyof Metrics)[];
  const [plain, named] = [keys.filter((key) => !isRecord(metrics[0][key])), keys.filter((key) => isRecord(metrics[0][key]))];
  const columns = [...plain, ...named].flatMap((key) => columnsOf(key, metrics));
  const lines = [columns.map((column) => quote(column.name)).join(',')];
  for (const row of metrics) lines.push(columns.map((column) => column.read(row) ?? '').join(','));
  return `${lines.join('\n')}\n`;
}

interface CsvColumn {
  readonly name: string;
  readonly read: (row: Metrics) => number | null | undefined;
}

function columnsOf(key: keyof Metrics, metrics: readonly Metrics[]): CsvColumn[] {
  const counts = (row: Metrics) => row[key] as Readonly<Record<string, number>>;
  if (!isRecord(metrics[0][key])) return [{ name: key, read: (row) => row[key] as number | null }];
  const names = [...new Set(metrics.flatMap((row) => Object.keys(counts(row) ?? {})))];
  return names.map((name) => ({ name: `${key}.${name}`, read: (row) => counts(row)?.[name] }));
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

function quote(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
