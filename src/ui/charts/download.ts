/** Files leave the page here: a blob under a name. Nothing is sent anywhere. */

export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The plot on its ground with a title above and its summary below, at the screen's own resolution; null if the browser refuses. */
export function plotToPng(plot: HTMLCanvasElement, title: string, summary: string, colours: { ground: string; text: string }): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const margin = 30 * scale;
  const canvas = document.createElement('canvas');
  canvas.width = plot.width;
  canvas.height = plot.height + 2 * margin;
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(plot, 0, margin);
  context.fillStyle = colours.text;
  context.textBaseline = 'middle';
  context.font = `600 ${14 * scale}px system-ui, sans-serif`;
  context.fillText(title, 10 * scale, margin / 2);
  context.font = `${11 * scale}px system-ui, sans-serif`;
  context.fillText(summary, 10 * scale, canvas.height - margin / 2, canvas.width - 20 * scale);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
