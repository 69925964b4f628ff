/** Success by iteration as a picture that stands alone: SVG, on white, with its axes and legend. Pure. */
import { plainText, xmlText } from '../lib/plain-text';
import { pathOf, scaleOf, type Point } from './line-svg';

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
  /** Iterations and shares, ascending. */
  readonly points: readonly Point[];
}

/** Entries of the legend side by side. */
const entriesOfRow = 4;
const entryWidth = 150;
const entryHeight = 18;

/** @param configChanges iterations after which the setup changed: a dashed line each */
export function curveSvg(title: string, metrics: readonly CurveRow[], configChanges: readonly number[]): string {
  return linesSvg(title, linesOf(metrics), configChanges);
}

/** Shares by iteration. @param configChanges iterations after which the setup changed: a dashed line each */
export function linesSvg(title: string, lines: readonly Line[], configChanges: readonly number[] = []): string {
  const last = Math.max(2, ...lines.map(({ points }) => points.at(-1)?.x ?? 2));
  const mark = configChanges.length > 0 ? [{ label: words.changed, colour: grey, dash: '5 4' }] : [];
  const entries = [...lines, ...mark];
  // A longer legend makes the picture higher.
  const more = entryHeight * (Math.ceil(entries.length / entriesOfRow) - 1);
  const height = curveBox.height + Math.max(0, more);
  const top = curveBox.top + Math.max(0, more);
  const at = scaleOf([1, last], [0, 1], [left, width - right], [top, height - bottom]);
  const x = (step: number): string => at.x(step).toFixed(1);
  const y = (share: number): string => at.y(share).toFixed(1);
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const steps = [...new Set([1, Math.round((1 + last) / 2), last])];
  const grid = shares.map(
    (share) =>
      `<path d="M${left} ${y(share)}H${width - right}" stroke="#ddd"/>` +
      label(left - 8, Number(y(share)) + 4, `${share * 100} %`, 'end'),
  );
  const ticks = steps.map((step) => label(Number(x(step)), height - bottom + 18, String(step), 'middle'));
  const drawn = lines.map(({ colour, dash, points }) => {
    const dots =
      points.length > 1 ? [] : points.map((p) => `<circle cx="${x(p.x)}" cy="${y(p.y)}" r="3" fill="${colour}"/>`);
    const stroke = `stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"`;
    return `<path d="${pathOf(points, at)}" fill="none" ${stroke}/>${dots.join('')}`;
  });
  const marks = configChanges.map(
    (change) => `<path d="M${x(change + 0.5)} ${top}V${height - bottom}" stroke="${grey}" stroke-dasharray="5 4"/>`,
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
    ...drawn,
    label((left + width - right) / 2, height - 8, words.step, 'middle'),
    '</svg>\n',
  ].join('');
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
