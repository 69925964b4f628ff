/** Files that the page saves, and that a visitor opens or drops. Sends nothing. */

/** Saves a blob under a name. */
export function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture in SVG as PNG, twice as fine; null if the browser refuses. */
export async function pngOf(svg: string, { width, height }: Size): Promise<Blob | null> {
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

/** The text of a file, its byte order mark included. @throws the browser's error if it is no UTF-8 */
export async function textOf(file: File): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Whether a file of this name holds rows of data and no code. */
export const isRowsFile = ({ name }: { readonly name: string }): boolean =>
  /\.(jsonl|ndjson|json|csv|tsv)$/i.test(name);
