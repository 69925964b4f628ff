/** `--rows`: the file of JSON lines, or of CSV, that a run's tasks are made from. */
import { basename } from 'node:path';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { isCsv, jsonLinesOfCsv } from '../lib/csv';
import { maxRowsBytes } from '../lib/text-caps';
import type { RunConfig } from '../config/config';
import { missingRows, withRows } from '../config/rows';

export const rowsFlag = {
  kind: 'text',
  help: 'JSON lines or CSV that tasks are made from, at most 2 MB; a quarter of them is for validation',
  value: 'FILE',
} as const;

/** The config with the rows of a file, if one is given. @throws a sentence if rows are wrong or missing */
export async function withGivenRows(config: RunConfig, path: string | undefined): Promise<RunConfig> {
  if (path !== undefined) return withRows(config, readRows(path), basename(path));
  const missing = missingRows(config);
  if (missing !== null) throw new Error(missing);
  return config;
}

/** JSON lines. @throws a sentence */
export function readRows(path: string): string {
  const [text, name] = [readRowsText(path), basename(path)];
  return isCsv(name) ? jsonLinesOfCsv(text, name) : text;
}

function readRowsText(path: string): string {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  const { size } = statSync(path);
  if (size > maxRowsBytes)
    throw new Error(`There are ${size} bytes in ${basename(path)}, and ${maxRowsBytes} is the most.`);
  try {
    // With its byte order mark, so that the digest is the file's.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new Error(`${path} cannot be read as UTF-8 text.`, { cause: error });
  }
}
