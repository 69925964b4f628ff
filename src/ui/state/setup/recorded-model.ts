/** Fetches the model that comes with the page, from where the page is. */
import { recordedModel, type PartialSettings } from '../../../lib/recorded-model';
import type { GivenFiles } from '../../../worker/protocol';

/** @param preset whose settings are fetched too, if there are any; null: none. Rejects if a file cannot be fetched */
export async function fetchRecordedModel(
  preset: string | null,
): Promise<{ readonly files: GivenFiles; readonly settings: PartialSettings }> {
  const { name, folder, files, tuned } = recordedModel;
  const blobs = await Promise.all(files.map(async (file) => [file, await (await fetched(file)).blob()] as const));
  const isTuned = tuned.some((each) => each === preset);
  const { preset: _preset, ...settings } = isTuned
    ? ((await (await fetched(`${preset}.json`)).json()) as PartialSettings)
    : {};
  return { files: { folder: name, files: new Map(blobs) }, settings };

  async function fetched(file: string): Promise<Response> {
    const response = await fetch(`${import.meta.env.BASE_URL}${folder}/${file}`);
    if (!response.ok) throw new Error(`${file} cannot be fetched: ${response.status}`);
    return response;
  }
}
