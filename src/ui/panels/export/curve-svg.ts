/** The success of a run as a picture that stands alone: SVG, on white, with its axes and legend. Pure. */
import type { Metrics } from '../../../rl/report';
import { pathOf, scaleOf, type Point } from '../../view/charts/line-svg';
import { escapedXml } from './run-files';
import { text } from './text';

export const width = 720;
export const height = 360;
const left = 56;
const right = 16;
const top = 56;
const bottom = 44;
const grey = '#666';

interface Line {
  readonly label: string;
  readonly colour: string;
  readonly dash: string;
  readonly points: readonly Point[];
}

/** @param configChanges iterations after which the setup changed: a dashed line each */
export function curveSvg(title: string, metrics: readonly Metrics[], configChanges: readonly number[]): string {
  const last = Math.max(2, metrics.at(-1)?.iteration ?? 2);
  const at = scaleOf([1, last], [0, 1], [left, width - right], [top, height - bottom]);
  const x = (step: number): string => at.x(step).toFixed(1);
  const y = (share: number): string => at.y(share).toFixed(1);
  const lines = linesOf(metrics);
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
  const mark = marks.length > 0 ? [{ label: text.curve.changed, colour: grey, dash: '5 4' }] : [];
  const legend = [...lines, ...mark].map(
    ({ label: name, colour, dash }, i) =>
      `<path d="M${left + i * 150} 40h24" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      label(left + i * 150 + 30, 44, name, 'start'),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="system-ui, sans-serif" font-size="12" fill="#333">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="22" font-size="15" font-weight="600">${escapedXml(title)}</text>`,
    ...[...grid, ...ticks, ...legend, ...marks, ...drawn],
    label((left + width - right) / 2, height - 8, text.curve.step, 'middle'),
    '</svg>\n',
  ].join('');
}

function linesOf(metrics: readonly Metrics[]): readonly Line[] {
  const points = (value: (row: Metrics) => number | null) =>
    metrics.flatMap((row) => {
      const y = value(row);
      return y === null || !Number.isFinite(y) ? [] : [{ x: row.iteration, y }];
    });
  const { unseen, practice } = text.curve;
  return [
    { label: unseen, colour: '#00727a', dash: '', points: points(({ validationSuccess }) => validationSuccess) },
    { label: practice, colour: '#c25100', dash: '6 4', points: points(({ success }) => success) },
  ];
}

const label = (x: number, y: number, words: string, anchor: string): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapedXml(words)}</text>`;

/** The picture as PNG, twice as fine; null if the browser refuses. */
export async function svgToPng(svg: string): Promise<Blob | null> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = 2 * width;
    canvas.height = 2 * height;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } finally {
    URL.revokeObjectURL(url);
  }
}
