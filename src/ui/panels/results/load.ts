/** Loads the tables of results that ship with the page. They are its own files, so only their format is checked. */
import type { Results } from '../../../share/results';

export const text = {
  answered: (url: string, status: number) => `${url} answered ${status}.`,
  otherFormat: (url: string, format: unknown) => `${url} has format ${String(format)}, this page reads format 1.`,
} as const;

/** @param folder address that ends in `/`. Rejects with a sentence if a listed table cannot be loaded. */
export async function loadResults(folder: string): Promise<Results[]> {
  const names = await json<string[]>(`${folder}index.json`);
  return Promise.all(names.map((name) => loadTable(`${folder}${name}.json`)));
}

export async function loadTable(url: string): Promise<Results> {
  const results = await json<Results>(url);
  if (results.format !== 1) throw new Error(text.otherFormat(url, results.format));
  return results;
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(text.answered(url, response.status));
  return (await response.json()) as T;
}
