/** Fetches recorded warm starts from the site that serves the page. */

/** @param site address that the page's files lie under @returns the file's bytes; rejects with a sentence */
export async function fetchRecordedStart(site: string, preset: string): Promise<Uint8Array> {
  const response = await fetch(new URL(`checkpoints/${preset}.safetensors`, site)).catch(() => null);
  if (response?.ok) return new Uint8Array(await response.arrayBuffer());
  const reason = response === null ? 'the site does not answer' : `HTTP ${response.status}`;
  throw new Error(
    `The recorded warm start of ${preset} could not be fetched (${reason}). ` +
      'Try again, or switch "Recorded warm start" off to imitate here.',
  );
}
