/** The catalog of presets and settings, which the build has written. Fetched once. */
import url from 'virtual:catalog';
import type { Catalog } from '../../../config/catalog';
import { text } from './text';

let asked: Promise<Catalog> | null = null;

/** Rejects with a sentence; the next call tries again. */
export function readCatalog(): Promise<Catalog> {
  return (asked ??= fetchCatalog().catch(() => {
    asked = null;
    throw new Error(text.failure.catalog);
  }));
}

async function fetchCatalog(): Promise<Catalog> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  return (await response.json()) as Catalog;
}
