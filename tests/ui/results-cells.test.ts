/** The cells of a table of results, with seeds that failed or that an older engine trained. */
import { expect, test } from 'vitest';
import { sampledWords, seedWords, warmWords } from '../../src/ui/panels/results/cells';
import { formatPercent } from '../../src/lib/amounts';
import { text } from '../../src/ui/panels/results/text';
import { sampleResults } from '../helpers/results';

const row = sampleResults.rows.find(({ seeds }) => seeds.length === 2 && seeds.every(({ end }) => end))!;
const withSeeds = (change: object) => ({
  ...row,
  seeds: row.seeds.map((seed, i) => (i === 1 ? seed : { ...seed, ...change })),
});

test('a seed without a curve or a warm start counts for no mean', () => {
  expect(sampledWords(row)).toBe(text.sampledRange(formatPercent(0.25), formatPercent(0.5)));
  expect(sampledWords(withSeeds({ curves: { success: [], turns: [] } }))).toBe(
    text.sampledRange(formatPercent(0.25), formatPercent(0.5)),
  );
  expect(sampledWords({ ...row, seeds: [] })).toBe(text.nothing);
  expect(warmWords(withSeeds({ warm: null }))).toBe(formatPercent(0.25));
  expect(warmWords({ ...row, seeds: [] })).toBe(text.nothing);
});

test('a seed that failed says so', () => {
  expect(seedWords(withSeeds({ end: null }))).toContain(text.failed);
});
