/**
 * The reference vectors under `tests/vectors`, or under the folder that AGENTLET_VECTORS names: every JSON file,
 * whatever it is called, grouped by its `kind`, and folders of models. Only reads and compares; what a kind means is
 * for the tests.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- cases are JSON of as many shapes as there are kinds
type Json = any;

/** One case: of the RL files (inputs, params, expected) or of the operations file (also op and upstream). */
export interface VectorCase {
  readonly name?: string;
  readonly op?: string;
  readonly inputs: Json;
  readonly params: Json;
  readonly upstream?: Json;
  readonly expected: Json;
  /** Relative tolerance that replaces the default of the number format. */
  readonly tolerance?: number;
  readonly counter_example?: Json;
}

export interface VectorFile {
  /** Path below the folder of vectors. */
  readonly path: string;
  readonly kind: string;
  /** Empty for files that are one case, such as a model. */
  readonly cases: readonly VectorCase[];
  /** The whole document. */
  readonly content: Json;
}

const folder = process.env.AGENTLET_VECTORS ?? fileURLToPath(new URL('../vectors', import.meta.url));

function jsonPaths(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Folders of models in Hugging Face's layout, whose index.json names them: helpers/pretrained.ts reads these. */
export function modelFolders(): { readonly folder: string; readonly models: readonly string[] }[] {
  return jsonPaths().flatMap((path) => {
    if (basename(path) !== 'index.json') return [];
    const { models }: Json = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(models) ? [{ folder: dirname(path), models }] : [];
  });
}

/** All other vector files in the order of their paths. */
export function vectorFiles(): VectorFile[] {
  const apart = modelFolders().map((models) => models.folder + sep);
  const paths = jsonPaths().filter((path) => !apart.some((start) => path.startsWith(start)));
  return paths.map((path) => {
    const content: Json = JSON.parse(readFileSync(path, 'utf8'));
    return { path: relative(folder, path), kind: String(content.kind), cases: content.cases ?? [], content };
  });
}

/** Vector files of one kind. */
export function vectorsOf(kind: string): VectorFile[] {
  return vectorFiles().filter((file) => file.kind === kind);
}

/** Fails unless |got − expected| ≤ tolerance · (1 + |expected|) everywhere, naming the first place that differs. */
export function expectNear(got: Json, expected: Json, tolerance: number, where = ''): void {
  if (Array.isArray(expected)) {
    expect(got.length, `${where}: length`).toBe(expected.length);
    for (let i = 0; i < expected.length; i++) expectNear(got[i], expected[i], tolerance, `${where}[${i}]`);
    return;
  }
  const isNear = Math.abs(got - expected) <= tolerance * (1 + Math.abs(expected));
  if (!isNear) expect.fail(`${where}: got ${got}, expected ${expected} within ${tolerance} · (1 + |expected|)`);
}
