/**
 * Runs laid over each other as one HTML file: what their owner found, their curves, what differs in their settings, and
 * links that run them again. It asks for nothing and has no script. Pure.
 */
import { formatDate } from '../../lib/format';
import { formatPercent } from '../../lib/amounts';
import { plainText } from '../../lib/plain-text';
import type { Difference } from '../../config/difference';
import { linesSvg, type Line, type PictureAxis } from '../../share/curve-svg';
import { ticksOf } from '../../share/line-svg';
import { linearRange } from '../../share/axis-range';
import { Columns } from '../charts/columns';
import type { ChartSpec, SeriesSpec } from '../charts/specs';
import { summarise } from '../charts/summary';
import { formatTick } from '../charts/units';
import type { comparedChart, RowLine } from '../compared-runs';
import { htmlHead, htmlText } from '../html';
import { text } from '../text';
import style from './report.css?raw';

const words = text.report;

/** As long as a note may be. */
const maxCellChars = 2000;

/** A run in the report. */
export interface ReportedRun {
  readonly name: string;
  /** Its world, algorithm and seed. */
  readonly what: string;
  readonly iteration: number;
  readonly line: RowLine;
  readonly note: string;
  /** An address that runs it again; null where its config has none. */
  readonly link: string | null;
}

export interface Report {
  readonly title: string;
  /** What was found, in the words of the owner: paragraphs between empty lines. */
  readonly said: string;
  /** ISO 8601. */
  readonly date: string;
  readonly chart: ReturnType<typeof comparedChart>;
  readonly runs: readonly ReportedRun[];
  /** One value a run, in their order. */
  readonly differences: readonly Difference[];
}

export async function reportPage({ title, said, date, chart, runs, differences }: Report): Promise<string> {
  const head = title.trim() || words.untitled;
  const paragraphs = said.split(/\n\s*\n/).filter((each) => each.trim() !== '');
  const names = runs.map(({ name }) => name);
  const summary = summarise(chart.spec, new Columns(chart.rows));
  return [
    await htmlHead(head, style),
    `<body><main><h1>${htmlText(head)}</h1>`,
    ...paragraphs.map((each) => `<p>${htmlText(each.trim()).replaceAll('\n', '<br>')}</p>`),
    `<figure>${pictureOf(chart)}<figcaption>${htmlText(summary)}</figcaption></figure>`,
    `<h2>${words.runs}</h2>`,
    runsTable(runs),
    differences.length > 0
      ? `<h2>${words.differs}</h2>` +
        tableOf(
          [words.setting, ...names].map(cell),
          differences.map(({ title: setting, values }) => [setting, ...values].map(cell)),
        )
      : '',
    `<p>${words.made(formatDate(date))}</p></main></body></html>\n`,
  ].join('');
}

/** Names and titles may come with a stranger's link. */
const cell = (content: string): string => htmlText(plainText(content, maxCellChars));

/** Without the column of notes where no run has one. */
function runsTable(runs: readonly ReportedRun[]): string {
  const head = [words.run, words.what, words.result, words.iterations, words.link, words.note];
  const across = runs.some(({ note }) => note !== '') ? head.length : head.length - 1;
  return tableOf(
    head.slice(0, across),
    runs.map((run) => cellsOf(run).slice(0, across)),
  );
}

/** In HTML. */
function cellsOf({ name, what, iteration, line, note, link }: ReportedRun): string[] {
  const { result, measure } = line;
  const success = result === undefined ? words.noResult : `${formatPercent(result)} ${words.results[measure]}`;
  const opens = link === null ? '–' : `<a href="${htmlText(link)}" rel="noreferrer">${words.open}</a>`;
  return [cell(name), cell(what), htmlText(success), String(iteration), opens, cell(note)];
}

/** @param head and @param rows in HTML */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const titles = head.map((each) => `<th scope="col">${each}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((each) => `<td>${each}</td>`).join('')}</tr>`).join('');
  return `<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>${lines}</tbody></table></div>`;
}

/** Colours of lines on white, by their place; patterns tell them apart too. */
const colours = ['#00727a', '#c25100', '#4b53c5', '#a84a86', '#8a6d00', '#2b6f12'];

function pictureOf({ spec, rows, marks }: Report['chart']): string {
  const lines = spec.series.map((series, i) => lineOf(series, rows, colours[i % colours.length]));
  const xs = rows.map(({ iteration }) => iteration);
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const { name, tick } = spec.axis!;
  const end = last > first ? last : first + 1;
  // Iterations are whole numbers.
  const ticks = ticksOf(first, end, 6).filter((at) => tick !== undefined || Number.isInteger(at));
  const across = { name, from: first, to: end, ticks, format: tick ?? String };
  return linesSvg(spec.name, lines, { changes: marks, across, up: upOf(spec, lines) });
}

function lineOf({ label, dash = [], band, value }: SeriesSpec, rows: Report['chart']['rows'], colour: string): Line {
  const points = rows.flatMap((row) => {
    const y = value(row);
    return y === null ? [] : [{ x: row.iteration, y, low: band?.low(row) ?? y, high: band?.high(row) ?? y }];
  });
  return { label, colour, dash: dash.join(' '), points, ...(band && { band: points }) };
}

/** The axis of the values, which shows all of them. */
function upOf({ unit, range, fromZero = false }: ChartSpec, lines: readonly Line[]): PictureAxis {
  const ys = lines.flatMap(({ points, band = [] }) => [...points.map(({ y }) => y), ...band.flatMap(endsOf)]);
  const [from, to] = range ?? (ys.length > 0 ? linearRange(Math.min(...ys), Math.max(...ys), fromZero) : [0, 1]);
  return { from, to, ticks: ticksOf(from, to, 4), format: (value) => formatTick(value, unit) };
}

const endsOf = ({ low, high }: { readonly low: number; readonly high: number }): readonly number[] => [low, high];
