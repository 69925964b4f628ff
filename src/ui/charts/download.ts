/** Saves files from the page: a blob under a name. Sends nothing. */

export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export interface Picture {
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
export function plotToPng(plot: HTMLCanvasElement, picture: Picture): Promise<Blob | null> {
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
