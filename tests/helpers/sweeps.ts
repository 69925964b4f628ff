/** Tables of experiments, to be compared. */
import { readFileSync } from 'node:fs';
import { readResults } from '../../src/share/results';

/** A table's numbers: all but what says when and how it was made. */
export function tableOf(path: string): object {
  const results = readResults(JSON.parse(readFileSync(path, 'utf8')));
  const rows = results.rows.map((row) => ({ ...row, seeds: row.seeds.map(({ seconds: _, ...bits }) => bits) }));
  return { ...results, rows, date: null, command: null };
}
