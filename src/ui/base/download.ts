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

/** The text of a file, its byte order mark included. @throws the browser's error if it is no UTF-8 */
export async function textOf(file: File): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
}

/** Whether a file of this name holds rows of data and no code. */
export const isRowsFile = ({ name }: { readonly name: string }): boolean =>
  /\.(jsonl|ndjson|json|csv|tsv)$/i.test(name);
