/** Loads the tables of results that ship with the page. They are its own files, so only their format is checked. */
import type { Results } from '../../share/results';

/** @param folder address that ends in `/`. Rejects with a sentence if a listed table cannot be loaded. */
export async function loadResults(folder: string): Promise<Results[]> {
  const names = await json<string[]>(`${folder}index.json`);
  return Promise.all(names.map((name) => loadTable(`${folder}${name}.json`)));
}

export async function loadTable(url: string): Promise<Results> {
  const results = await json<Results>(url);
  if (results.format !== 1) throw new Error(`${url} has format ${String(results.format)}, this page reads format 1.`);
  return results;
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return (await response.json()) as T;
}
