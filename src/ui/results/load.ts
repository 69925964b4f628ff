/**
 * The tables of results that ship beside the page, as its list names them. They are the page's own files, so only their
 * format is asked for. Shows nothing.
 */
import type { Results } from '../../share/results';

/** @param folder address that ends in `/`. Rejects with a sentence if something that is listed cannot be shown. */
export async function loadResults(folder: string): Promise<Results[]> {
  const names = await json<string[]>(`${folder}index.json`);
  return Promise.all(names.map((name) => loadTable(`${folder}${name}.json`)));
}

async function loadTable(url: string): Promise<Results> {
  const results = await json<Results>(url);
  if (results.format !== 1) throw new Error(`${url} has format ${String(results.format)}, this page reads format 1.`);
  return results;
}

async function json<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return (await response.json()) as T;
}
