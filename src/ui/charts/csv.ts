/** All metrics of a run as comma-separated values, exactly as the run reported them. */
import type { Metrics } from '../../worker/protocol';

/** One row an iteration; reward terms become columns `rewardTerms.<name>`; what was not measured is empty. */
export function metricsCsv(metrics: readonly Metrics[]): string {
  if (metrics.length === 0) return '';
  const keys = (Object.keys(metrics[0]) as (keyof Metrics)[]).filter((key) => key !== 'rewardTerms');
  const terms = [...new Set(metrics.flatMap((row) => Object.keys(row.rewardTerms)))];
  const lines = [[...keys, ...terms.map((term) => quote(`rewardTerms.${term}`))].join(',')];
  for (const row of metrics) {
    lines.push([...keys.map((key) => row[key] ?? ''), ...terms.map((term) => row.rewardTerms[term] ?? '')].join(','));
  }
  return `${lines.join('\n')}\n`;
}

function quote(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
