/** The cells of a table of results, with seeds that failed or that an older engine trained. */
import { expect, test, vi } from 'vitest';
import {
  areaWords,
  callWords,
  changeWords,
  differenceWords,
  meanWords,
  paperWords,
  peakWords,
  promptTokenWords,
  sampledWords,
  seedWords,
  spreadWords,
  trainedWords,
  turnWords,
  updateWords,
  warmWords,
} from '../../src/presentation/results/cells';
import { formatPercent } from '../../src/lib/amounts';
import { loadResults, loadTable } from '../../src/ui/panels/results/load';
import { text } from '../../src/presentation/results/text';
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

const script = sampleResults.rows[0];
const withEnds = (...shares: (number | null)[]) => ({
  ...row,
  seeds: shares.map((success, i) => ({
    ...row.seeds[0],
    seed: i + 1,
    end:
      success === null
        ? null
        : { ...row.seeds[0].end!, inDistribution: { ...row.seeds[0].end!.inDistribution, success } },
  })),
});
const against = { ...withEnds(0.5, 0.5, 0.25), name: 'base', title: 'Base' };
const differences = (...shares: (number | null)[]) => {
  const compared = { ...withEnds(...shares), reference: 'base' };
  return differenceWords({ ...sampleResults, rows: [against, compared] }, compared);
};

test('spreads have their ends, and one value or none has no spread', () => {
  const [mean, low, high] = [0.75, 0.5, 1];
  expect(spreadWords({ kind: 'range', mean, low, high })).toBe('50 to 100\u00a0% (range)');
  expect(spreadWords({ kind: 'interval', mean, low, high })).toBe('50 to 100\u00a0% (95\u00a0%)');
  expect([spreadWords({ kind: 'value', mean, low, high }), spreadWords(null)]).toEqual([text.nothing, text.nothing]);
  expect([meanWords({ kind: 'range', mean, low, high }), meanWords(null)]).toEqual(['75\u00a0%', text.nothing]);
});

test('differences are counted in tasks, seed by seed, with an interval where there are six', () => {
  expect(differences(1, 0.5)).toBe('Base: +4, 0');
  expect(differences(0.25, null, 0.25)).toBe('Base: −2, 0');
  expect(differenceWords(sampleResults, script)).toBe(text.nothing);
  const six = Array.from({ length: 6 }, (_, i) => 0.5 + i / 8);
  const compared = { ...withEnds(...six), reference: 'base' };
  const words = differenceWords(
    { ...sampleResults, rows: [{ ...against, seeds: withEnds(...six.map(() => 0.5)).seeds }, compared] },
    compared,
  );
  expect(words).toMatch(/^Base: 0, \+1, \+2, \+3, \+4, \+5; \S+ to \+\S+ \(95\u00a0%\)$/);
});

test('what a script or an older file does not have is a dash', () => {
  expect([seedWords(script), warmWords(script), sampledWords(script)]).toEqual(Array(3).fill(text.nothing));
  expect([peakWords(script), areaWords(script), trainedWords(script)]).toEqual(Array(3).fill(text.nothing));
  expect([promptTokenWords(row), paperWords(row), updateWords(row)]).toEqual(Array(3).fill(text.nothing));
  expect(turnWords({ ...row, seeds: [] })).toBe(text.nothing);
});

test('what was measured is written', () => {
  expect(seedWords(row)).toBe('50\u00a0%, 100\u00a0%');
  expect([peakWords(row), areaWords(row), trainedWords(row)]).toEqual([
    '50\u00a0% at iteration 2',
    '38\u00a0%',
    'never, never',
  ]);
  const fast = { ...row, seeds: [{ ...row.seeds[0], curves: { success: [0.1, 0.8], turns: [] } }] };
  expect(trainedWords(fast)).toBe('2');
  expect(updateWords({ ...row, updates: 1480 })).toBe('1,480');
  expect(updateWords({ ...row, changes: [{ path: 'algorithm.epochs', from: 1, to: 2 }] })).toBe(text.otherUpdates);
  expect([turnWords(row), paperWords(script)]).toEqual(['2.00', '13\u00a0%']);
  expect(callWords(row, 'inDistribution')).toBe('0 / 12');
  expect(callWords(withSeeds({ end: null }), 'inDistribution')).toBe('0 / 8');
  expect(changeWords({ path: 'optimizer.learningRate', from: 0.0003, to: null })).toBe(
    'optimizer.learningRate: 3e-4 → unset',
  );
  expect(changeWords({ path: 'algorithm.name', from: 'grpo', to: false })).toBe('algorithm.name: grpo → false');
});

test('tables are loaded as the list names them; another format or a missing file is a sentence', async () => {
  const files: Record<string, unknown> = {
    'r/index.json': ['a'],
    'r/a.json': { format: 1 },
    'r/b.json': { format: 2 },
  };
  vi.stubGlobal('fetch', async (url: string) =>
    url in files ? Response.json(files[url]) : new Response('', { status: 404 }),
  );
  try {
    expect(await loadResults('r/')).toEqual([{ format: 1 }]);
    await expect(loadTable('r/b.json')).rejects.toThrow('r/b.json has format 2, this page reads format 1.');
    await expect(loadTable('r/c.json')).rejects.toThrow('r/c.json answered 404.');
  } finally {
    vi.unstubAllGlobals();
  }
});
