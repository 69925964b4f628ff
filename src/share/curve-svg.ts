/** Curves as a picture that stands alone: SVG, on white, with its axes and legend. Pure. */
import { plainText, xmlText } from '../lib/plain-text';
import { pathOf, scaleOf, type Point, type Scale } from './line-svg';

const words = { unseen: 'Unseen tasks', practice: 'Practice', changed: 'Setup changed', step: 'iteration' };

/** What the picture shows of an iteration. */
export interface CurveRow {
  readonly iteration: number;
  /** Share of practice rollouts that solve their task. */
  readonly success: number;
  /** Share of unseen tasks solved; null where it was not measured. */
  readonly validationSuccess: number | null;
}

/** Sizes of the picture and of the margins around its plot, in units of its own. */
export const curveBox = { width: 720, height: 360, left: 56, right: 16, top: 56, bottom: 44 };
const { width, left, right, bottom } = curveBox;
const grey = '#666';

/** A line of a picture. */
export interface Line {
  readonly label: string;
  readonly colour: string;
  /** Of SVG's `stroke-dasharray`; empty for a whole line. */
  readonly dash: string;
  /** Ascending by x. */
  readonly points: readonly Point[];
  /** Ends of a band around the line, ascending by x. */
  readonly band?: readonly { readonly x: number; readonly low: number; readonly high: number }[];
}

/** An axis of a picture. */
export interface PictureAxis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly number[];
  readonly format: (value: number) => string;
}

const shares: PictureAxis = { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], format: (share) => `${share * 100} %` };

function iterations(lines: readonly Line[]): PictureAxis & { readonly name: string } {
  const to = Math.max(2, ...lines.map(({ points }) => points.at(-1)?.x ?? 2));
  const ticks = [...new Set([1, Math.round((1 + to) / 2), to])];
  return { name: words.step, from: 1, to, ticks, format: String };
}

/** Entries of the legend side by side. */
const entriesOfRow = 4;
const entryWidth = 150;
const entryHeight = 18;

/** @param configChanges iterations after which the setup changed: a dashed line each */
export function curveSvg(title: string, metrics: readonly CurveRow[], configChanges: readonly number[]): string {
  const changes = configChanges.map((iteration) => iteration + 0.5);
  return linesSvg(title, linesOf(metrics), { changes });
}

interface LinesOptions {
  /** Where the setup changed: a dashed line each. */
  readonly changes?: readonly number[];
  readonly across?: PictureAxis & { readonly name: string };
  readonly up?: PictureAxis;
}

/** Lines over each other; shares by iteration unless their axes say otherwise. */
export function linesSvg(
  title: string,
  lines: readonly Line[],
  { changes = [], across = iterations(lines), up = shares }: LinesOptions = {},
): string {
  const mark = changes.length > 0 ? [{ label: words.changed, colour: grey, dash: '5 4' }] : [];
  const entries = [...lines, ...mark];
  // A longer legend makes the picture higher.
  const more = entryHeight * (Math.ceil(entries.length / entriesOfRow) - 1);
  const height = curveBox.height + Math.max(0, more);
  const top = curveBox.top + Math.max(0, more);
  const at = scaleOf([across.from, across.to], [up.from, up.to], [left, width - right], [top, height - bottom]);
  const x = (value: number): string => at.x(value).toFixed(1);
  const y = (value: number): string => at.y(value).toFixed(1);
  const grid = up.ticks.map(
    (value) =>
      `<path d="M${left} ${y(value)}H${width - right}" stroke="#ddd"/>` +
      label(left - 8, Number(y(value)) + 4, up.format(value), 'end'),
  );
  const ticks = across.ticks.map((value) =>
    label(Number(x(value)), height - bottom + 18, across.format(value), 'middle'),
  );
  const drawn = lines.map(({ colour, dash, points }) => {
    const dots =
      points.length > 1 ? [] : points.map((p) => `<circle cx="${x(p.x)}" cy="${y(p.y)}" r="3" fill="${colour}"/>`);
    const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"`;
    return `<path d="${pathOf(points, at)}" fill="none" ${stroke}/>${dots.join('')}`;
  });
  const marks = changes.map(
    (change) => `<path d="M${x(change)} ${top}V${height - bottom}" stroke="${grey}" stroke-dasharray="5 4"/>`,
  );
  const legend = entries.map(({ label: name, colour, dash }, i) => {
    const from = left + (i % entriesOfRow) * entryWidth;
    const down = 40 + entryHeight * Math.floor(i / entriesOfRow);
    return (
      `<path d="M${from} ${down}h24" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      label(from + 30, down + 4, name, 'start')
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="system-ui, sans-serif" font-size="12" fill="#333">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="22" font-size="15" font-weight="600">${escapedXml(title)}</text>`,
    ...grid,
    ...ticks,
    ...legend,
    ...marks,
    ...lines.map((line) => bandOf(line, at)),
    ...drawn,
    label((left + width - right) / 2, height - 8, across.name, 'middle'),
    '</svg>\n',
  ].join('');
}

/** The area between the ends of a band; empty for a line without one. */
function bandOf({ colour, band = [] }: Line, at: Scale): string {
  if (band.length === 0) return '';
  const upper = band.map(({ x, high }) => ({ x, y: high }));
  const lower = band.toReversed().map(({ x, low }) => ({ x, y: low }));
  return `<path d="${pathOf([...upper, ...lower], at)}Z" fill="${colour}" fill-opacity="0.15"/>`;
}

function linesOf(metrics: readonly CurveRow[]): readonly Line[] {
  const points = (value: (row: CurveRow) => number | null) =>
    metrics.flatMap((row) => {
      const y = value(row);
      return y === null || !Number.isFinite(y) ? [] : [{ x: row.iteration, y }];
    });
  const { unseen, practice } = words;
  return [
    { label: unseen, colour: '#00727a', dash: '', points: points(({ validationSuccess }) => validationSuccess) },
    { label: practice, colour: '#c25100', dash: '6 4', points: points(({ success }) => success) },
  ];
}

const label = (x: number, y: number, content: string, anchor: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapedXml(content)}</text>`;

const maxCharacters = 300;

const escapedXml = (content: string): string => xmlText(plainText(content, maxCharacters));
