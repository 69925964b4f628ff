/**
 * Tiny models in Hugging Face's layout, with the numbers that they must compute: tests/vectors/pretrained/README.md.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesInMemory, type ByteSource } from '../../src/lib/byte-source';
import { modelFolders } from './vectors';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON of the vectors
type Json = any;

export interface PretrainedVectors {
  readonly name: string;
  readonly files: ReadonlyMap<string, ByteSource>;
  readonly adapterFiles: ReadonlyMap<string, ByteSource>;
  readonly expected: Json;
}

/** The names come from index.json, so that other models are tried too. */
export function pretrainedVectors(): PretrainedVectors[] {
  return modelFolders().flatMap(({ folder, models }) =>
    models.map((name) => ({
      name,
      files: filesIn(join(folder, name)),
      adapterFiles: filesIn(join(folder, name, 'adapter')),
      expected: JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8')) as Json,
    })),
  );
}

/** The files of a folder, in memory. */
export function filesIn(folder: string): Map<string, ByteSource> {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(names.map(({ name }) => [name, bytesInMemory(readFileSync(join(folder, name)))]));
}
