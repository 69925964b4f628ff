/** From cells to a table: rows with means and intervals over seeds, and the same as Markdown. Measures nothing. */
import { mean } from '../../lib/mean';
import { plainText } from '../../lib/plain-text';
import { isScript, minForInterval, pairedDifferences, successOf, turnsOf, type Spread } from '../../share/interval';
import {
  areaUnderSuccess,
  changesUpdates,
  contextsDiffer,
  iterationsToTrained,
  peakOfSuccess,
  promptTokensOf,
  trainedSuccess,
  updatesDiffer,
} from '../../share/result-curves';
import type { Interval, ResultRow, Results, SeedResult } from '../../share/results';
import { passMeaning, passRates, passSizes } from '../../share/pass-at-k';
import { solvedByCalls } from '../../share/solved-by-calls';

/** A row of the table; a failed seed has no end and is in no mean. */
export function resultRow(
  about: Pick<ResultRow, 'name' | 'title' | 'paper' | 'changes' | 'reference' | 'updates'>,
  seeds: SeedResult[],
): ResultRow {
  return {
    ...about,
    inDistribution: ends(successOf({ seeds }, 'inDistribution')),
    outOfDistribution: ends(successOf({ seeds }, 'outOfDistribution')),
    turns: ends(turnsOf({ seeds })),
    seeds,
  };
}

const ends = (spread: Spread | null): Interval | null =>
  spread && { mean: spread.mean, low: spread.low, high: spread.high };

/** The table, with what is needed to reproduce it. Shares in percent. */
export function resultsMarkdown(results: Results): string {
  const { finding, paper } = results;
  const columns = columnsOf(results);
  return [
    `# ${results.title}`,
    '',
    results.question,
    ...(finding === undefined ? [] : ['', finding]),
    ...(paper ? ['', `${paper.source}: ${paper.finding}`] : []),
    '',
    line(['Method', ...columns.map(([head]) => head)]),
    line(['---', ...columns.map(() => '--:')]),
    ...results.rows.map((row) => line([row.title, ...columns.map(([, cell]) => cell(row))])),
    '',
    ...notes(results),
    '',
  ].join('\n');
}

type Column = readonly [head: string, cell: (row: ResultRow) => string];

function columnsOf(results: Results): Column[] {
  const { rows, tasks } = results;
  const outside = (...columns: Column[]): Column[] => (results.outOfDistribution === null ? [] : columns);
  const ends = (row: ResultRow) => row.seeds.flatMap(({ end }) => end?.inDistribution ?? []);
  const before = (row: ResultRow, which: 'start' | 'warm') =>
    percent(average(row.seeds.flatMap((seed) => seed[which]?.inDistribution.success ?? [])));
  return [
    ['Success', (row) => percent(successOf(row, 'inDistribution')?.mean)],
    ['Over seeds', (row) => spreadWords(successOf(row, 'inDistribution'))],
    [
      'Each seed',
      (row) => (isScript(row) ? '–' : row.seeds.map(({ end }) => percent(end?.inDistribution.success)).join(', ')),
    ],
    [`Difference in tasks of ${tasks}`, (row) => differenceWords(results, row)],
    ['Random weights', (row) => before(row, 'start')],
    ['Warm start', (row) => before(row, 'warm')],
    ...outside(
      ['Out of distribution', (row) => percent(successOf(row, 'outOfDistribution')?.mean)],
      ['Over seeds', (row) => spreadWords(successOf(row, 'outOfDistribution'))],
    ),
    ['Solved with 0, 1, 2 … calls', (row) => counts(solvedByCalls(row, 'inDistribution'))],
    ...outside(['Out of distribution with 0, 1, 2 … calls', (row) => counts(solvedByCalls(row, 'outOfDistribution'))]),
    ['Sampled', (row) => firstToLast(row, 'success', percent)],
    ['Peak of sampled', peakWords],
    ['Area under sampled', (row) => percent(areaUnderSuccess(row) ?? undefined)],
    [
      `Iterations to ${percent(trainedSuccess)} in practice`,
      (row) =>
        iterationsToTrained(row)
          .map((at) => String(at ?? 'never'))
          .join(', ') || '–',
    ],
    ...(updatesDiffer(rows) ? [['Updates', updateWords] satisfies Column] : []),
    ...passSizes(rows).map((k): Column => [`pass@${k}`, (row) => passWords(row, k)]),
    ['Turns', (row) => number(turnsOf(row)?.mean, 2)],
    ['Turns sampled', (row) => firstToLast(row, 'turns', (turns) => number(turns, 2))],
    ['Reward', (row) => number(average(ends(row).map(({ reward }) => reward)), 3)],
    ['Tokens', (row) => number(average(ends(row).map(({ tokens }) => tokens)), 1)],
    ...(contextsDiffer(rows)
      ? [['Prompt tokens', (row) => number(promptTokensOf(row) ?? undefined, 0)] satisfies Column]
      : []),
    ['Seconds', (row) => number(average(row.seeds.map(({ seconds }) => seconds)), 0)],
    ...(rows.some(({ paper }) => paper !== null)
      ? [['Paper', (row) => percent(row.paper ?? undefined)] satisfies Column]
      : []),
  ];
}

function notes(results: Results): string[] {
  const { rows, outOfDistribution, base, tasks, adapters, commits, date, command, engineVersion } = results;
  const failures = rows.flatMap(({ title, seeds }) =>
    seeds.flatMap(({ seed, failure }) => (failure === null ? [] : `${title}, seed ${seed}, ended early: ${failure}`)),
  );
  const differing = [{ title: 'all rows', changes: results.changes }, ...rows].flatMap(({ title, changes }) =>
    changes.length === 0 ? [] : `- ${title}: ${changes.map(changeWords).join(', ')}`,
  );
  return [
    `Success is greedy, on ${tasks} held-out tasks. Over seeds is the range of fewer than ${minForInterval} seeds, ` +
      'and a 95 % t interval of the mean of more. A difference is the number of tasks that a row solved more or ' +
      'fewer than the row it names, one number for each seed. Turns and tokens are means of an episode; prompt ' +
      'tokens are those of all its prompts together. Sampled is what rollouts of the first and of the last iteration ' +
      'did, at the temperature they are learned from; its peak is the highest mean over seeds, and the iteration of ' +
      'that; the area under it is its mean over iterations. Solved tasks ' +
      'are counted by the tool calls that they took, all seeds together.' +
      (passSizes(rows).length === 0 ? '' : ` ${passMeaning}`),
    ...(outOfDistribution === null ? [] : [`Out of distribution: ${outOfDistribution}`]),
    ...failures,
    '',
    `Differences from \`${base}\`${differing.length === 0 ? ': none.' : ':'}`,
    ...(differing.length === 0 ? [] : ['', ...differing]),
    '',
    `Made by \`${command}\` with engine ${engineVersion}, commit ${commits.join(' and ')}, ` +
      `on ${adapters.join(' and ')}, ${date.slice(0, 10)}.`,
  ];
}

function passWords(row: ResultRow, k: number): string {
  const rates = passRates(row, k);
  return rates === null ? percent(undefined) : rates.map(percent).join(' → ');
}

/** A change of an environment's source is a long text. */
const maxValueCharacters = 60;

function changeWords({ path, from, to }: ResultRow['changes'][number]): string {
  const [before, after] = [from, to].map((value) => plainText(String(value), maxValueCharacters));
  return `\`${path}\` ${before} → ${after}`;
}

/** Mean over seeds of a curve's two ends. */
function firstToLast(
  { seeds }: ResultRow,
  name: 'success' | 'turns',
  words: (value: number | undefined) => string,
): string {
  const curves = seeds.map((seed) => seed.curves[name]).filter(({ length }) => length > 0);
  if (curves.length === 0) return words(undefined);
  return [0, -1].map((at) => words(average(curves.map((curve) => curve.at(at)!)))).join(' → ');
}

/** The highest point of the mean curve, and its iteration. */
function peakWords(row: ResultRow): string {
  const peak = peakOfSuccess(row);
  return peak === null ? '–' : `${percent(peak.success)} at ${peak.iteration}`;
}

/** A run's updates; of an older file, whether they are those of most rows. */
function updateWords(row: ResultRow): string {
  if (row.updates !== undefined) return String(row.updates);
  return changesUpdates(row) ? 'another number' : '–';
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const number = (value: number | undefined, digits: number): string =>
  value === undefined ? '–' : value.toFixed(digits);
const counts = (solved: readonly number[] | null): string => (solved === null ? '–' : solved.join(', ') || '0');
const percent = (share: number | undefined): string => (share === undefined ? '–' : (100 * share).toFixed(1));
const signed = (tasks: number): string => (tasks > 0 ? `+${tasks}` : String(tasks).replace('-', '−'));

/** What two ends are. */
const kinds = { range: 'range', interval: '95 %' } as const;

function spreadWords(spread: Spread | null): string {
  if (spread === null || spread.kind === 'value') return '–';
  return `${percent(spread.low)} to ${percent(spread.high)} (${kinds[spread.kind]})`;
}

/** Each seed's difference from the row's reference, with the interval of many. */
function differenceWords(results: Results, row: ResultRow): string {
  const paired = pairedDifferences(results, row);
  if (paired === null) return '–';
  const { reference, differences, spread } = paired;
  const [low, high] = [spread.low, spread.high].map((end) => signed(Number(end.toFixed(1))));
  const interval = spread.kind === 'interval' ? `; ${low} to ${high} (${kinds.interval})` : '';
  return `${reference}: ${differences.map(signed).join(', ')}${interval}`;
}

function average(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : mean(values);
}
