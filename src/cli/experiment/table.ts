/** From cells to a table: rows with means and intervals over seeds, and the same as Markdown. Measures nothing. */
import { minForInterval, showsRange } from '../../share/interval';
import type { Interval, ResultRow, Results, SeedResult } from '../../share/results';
import { solvedByCalls } from '../../share/solved-by-calls';
import { bootstrapInterval } from './bootstrap';

/** A row of the table; a failed seed has no end and is in no mean. */
export function resultRow(
  about: Pick<ResultRow, 'name' | 'title' | 'paper' | 'changes'>,
  seeds: SeedResult[],
): ResultRow {
  const over = (pick: (end: NonNullable<SeedResult['end']>) => number | undefined): Interval | null => {
    const values = seeds.flatMap(({ end }) => (end && pick(end)) ?? []);
    return values.length === 0 ? null : bootstrapInterval(values);
  };
  return {
    ...about,
    inDistribution: over(({ inDistribution }) => inDistribution.success),
    outOfDistribution: over(({ outOfDistribution }) => outOfDistribution?.success),
    turns: over(({ inDistribution }) => inDistribution.turns),
    seeds,
  };
}

/** The table, with what is needed to reproduce it. Shares in percent. */
export function resultsMarkdown(results: Results): string {
  const { rows, outOfDistribution, paper } = results;
  const withPaper = rows.some((row) => row.paper !== null);
  const ends = showsRange(rows) ? 'Range' : '95 %';
  const head = [
    'Method',
    'Success',
    ends,
    'Each seed',
    'Random weights',
    'Warm start',
    ...(outOfDistribution === null ? [] : ['Out of distribution', ends]),
    'Solved with 0, 1, 2 … calls',
    ...(outOfDistribution === null ? [] : ['Out of distribution with 0, 1, 2 … calls']),
    'Sampled',
    'Turns',
    'Turns sampled',
    'Reward',
    'Tokens',
    'Seconds',
    ...(withPaper ? ['Paper'] : []),
  ];
  const body = rows.map((row) => {
    const measured = row.seeds.flatMap(({ end }) => end?.inDistribution ?? []);
    const moments = (which: 'start' | 'warm') => row.seeds.flatMap((seed) => seed[which]?.inDistribution.success ?? []);
    return [
      row.title,
      percent(row.inDistribution?.mean),
      range(row.inDistribution),
      row.seeds.map(({ end }) => percent(end?.inDistribution.success)).join(', '),
      percent(average(moments('start'))),
      percent(average(moments('warm'))),
      ...(outOfDistribution === null ? [] : [percent(row.outOfDistribution?.mean), range(row.outOfDistribution)]),
      counts(solvedByCalls(row, 'inDistribution')),
      ...(outOfDistribution === null ? [] : [counts(solvedByCalls(row, 'outOfDistribution'))]),
      firstToLast(row, 'success', (share) => percent(share)),
      number(row.turns?.mean, 2),
      firstToLast(row, 'turns', (turns) => number(turns, 2)),
      number(average(measured.map(({ reward }) => reward)), 3),
      number(average(measured.map(({ tokens }) => tokens)), 1),
      number(average(row.seeds.map(({ seconds }) => seconds)), 0),
      ...(withPaper ? [percent(row.paper ?? undefined)] : []),
    ];
  });
  return [
    `# ${results.title}`,
    '',
    results.question,
    ...(paper ? ['', `${paper.source}: ${paper.finding}`] : []),
    '',
    line(head),
    line(head.map((_, c) => (c === 0 ? '---' : '--:'))),
    ...body.map(line),
    '',
    ...notes(results),
    '',
  ].join('\n');
}

function notes(results: Results): string[] {
  const { rows, outOfDistribution, base, tasks, adapters, commits, date, command, engineVersion } = results;
  const failures = rows.flatMap(({ title, seeds }) =>
    seeds.flatMap(({ seed, failure }) => (failure === null ? [] : `${title}, seed ${seed}, ended early: ${failure}`)),
  );
  const differing = [{ title: 'all rows', changes: results.changes }, ...rows].flatMap(({ title, changes }) =>
    changes.length === 0
      ? []
      : `- ${title}: ${changes.map(({ path, from, to }) => `\`${path}\` ${String(from)} → ${String(to)}`).join(', ')}`,
  );
  return [
    `Success is greedy, on ${tasks} held-out tasks; ${showsRange(rows) ? `with fewer than ${minForInterval} seeds the range of seeds stands beside the mean` : 'intervals are a bootstrap over seeds'}. Turns and tokens are means of an episode. Sampled is what rollouts of the first and of the last iteration did, at the temperature they are learned from. Solved tasks are counted by the tool calls that they took, all seeds together.`,
    ...(outOfDistribution === null ? [] : [`Out of distribution: ${outOfDistribution}`]),
    ...failures,
    '',
    `Differences from \`${base}\`${differing.length === 0 ? ': none.' : ':'}`,
    ...(differing.length === 0 ? [] : ['', ...differing]),
    '',
    `Made by \`${command}\` with engine ${engineVersion}, commit ${commits.join(' and ')}, on ${adapters.join(' and ')}, ${date.slice(0, 10)}.`,
  ];
}

/** Mean over seeds of a curve's two ends. */
function firstToLast(
  { seeds }: ResultRow,
  name: keyof SeedResult['curves'],
  words: (value: number | undefined) => string,
): string {
  const curves = seeds.map((seed) => seed.curves[name]).filter(({ length }) => length > 0);
  if (curves.length === 0) return words(undefined);
  return [0, -1].map((at) => words(average(curves.map((curve) => curve.at(at)!)))).join(' → ');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const number = (value: number | undefined, digits: number): string =>
  value === undefined ? '–' : value.toFixed(digits);
const counts = (solved: readonly number[] | null): string => (solved === null ? '–' : solved.join(', ') || '0');
const percent = (share: number | undefined): string => (share === undefined ? '–' : (100 * share).toFixed(1));
const range = (interval: Interval | null): string =>
  interval ? `${percent(interval.low)} to ${percent(interval.high)}` : '–';

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
