/** A chart as a picture to save: its plot under a title and a legend. */
import type { Ghost } from '../../../presentation/charts/ghost';
import { download } from '../../base/download';
import type { Palette } from './palette';
import type { ChartSpec } from '../../../presentation/charts/specs';

/** The chart that a picture is of. */
export interface PicturedChart {
  readonly ghost: Ghost | null;
  /** In a sentence. */
  readonly summary: string;
  readonly palette: Palette;
  /** Of its files, without its own name and the ending. */
  readonly fileName: string;
}

export async function savePicture(plot: HTMLCanvasElement, spec: ChartSpec, chart: PicturedChart): Promise<void> {
  const { ghost, summary, palette, fileName } = chart;
  const lines = spec.series.map(({ label, colour, dash }) => ({ label, colour: palette(colour), dash: dash ?? [] }));
  if (ghost) lines.push({ label: ghost.name, colour: palette('ghost'), dash: [2, 4] });
  const blob = await plotToPng(plot, {
    title: spec.name,
    caption: summary,
    ground: palette('surface-raised'),
    text: palette('text'),
    lines,
  });
  if (blob) download(`${fileName}-${spec.name.toLowerCase().replace(/\W+/g, '-')}.png`, blob);
}

interface Picture {
  readonly title: string;
  readonly caption: string;
  readonly ground: string;
  readonly text: string;
  readonly lines: readonly { readonly label: string; readonly colour: string; readonly dash: readonly number[] }[];
}

const marginPx = 30;

/**
 * The plot on its ground, title and legend above and caption below, at the screen's own resolution; null if the browser
 * refuses.
 */
function plotToPng(plot: HTMLCanvasElement, picture: Picture): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = plot.width;
  canvas.height = plot.height + 2 * marginPx * scale;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = picture.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(plot, 0, marginPx * scale);
  context.scale(scale, scale);
  const widthPx = canvas.width / scale;
  context.fillStyle = picture.text;
  context.textBaseline = 'middle';
  context.font = '600 14px system-ui, sans-serif';
  context.fillText(picture.title, 10, marginPx / 2);
  const legendPx = 10 + context.measureText(picture.title).width + 16;
  context.font = '11px system-ui, sans-serif';
  context.fillText(picture.caption, 10, canvas.height / scale - marginPx / 2, widthPx - 20);
  drawLegend(context, picture, legendPx);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

function drawLegend(context: CanvasRenderingContext2D, picture: Picture, fromPx: number): void {
  let x = fromPx;
  for (const line of picture.lines) {
    context.strokeStyle = line.colour;
    context.lineWidth = 2;
    context.setLineDash([...line.dash]);
    context.beginPath();
    context.moveTo(x, marginPx / 2);
    context.lineTo(x + 20, marginPx / 2);
    context.stroke();
    context.fillText(line.label, x + 26, marginPx / 2);
    x += 26 + context.measureText(line.label).width + 14;
  }
}
