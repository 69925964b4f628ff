/**
 * Rows of data that tasks are made from: JSON lines, one value a line. A row belongs to one split, by the hash of its
 * value, so no value is in two, however often it is repeated and however it is spaced.
 */
import { fnv1a } from '../lib/fnv1a';
import { jsonFault } from '../lib/json-fault';
import { canonicalJson, maxJsonDepth, nestsDeeperThan, type Json } from '../lib/json';
import { sha256 } from '../lib/sha256';
import { maxRowsBytes } from '../lib/text-caps';

/** A quarter of the rows, as of all tasks. */
const validationShare = 4;

/** Rows of each split, as the text of a JSON list. */
export interface SplitRows {
  readonly train: string;
  readonly validation: string;
}

/** @param name of the rows in messages @throws a sentence, with the line if one is at fault */
export function splitRows(text: string, name = 'the run’s rows'): SplitRows {
  const lists: Record<keyof SplitRows, string[]> = { train: [], validation: [] };
  for (const { line, value } of readRows(text, name))
    lists[mixed(fnv1a(canonicalJson(value))) % validationShare === 0 ? 'validation' : 'train'].push(line);
  return { train: `[${lists.train.join(',')}]`, validation: `[${lists.validation.join(',')}]` };
}

/**
 * What tells rows from others, in a config that does not carry them: their number, `-` and the SHA-256 of the file.
 * @throws a sentence, as `splitRows`
 */
export async function rowsDigest(text: string, name?: string): Promise<string> {
  return `${readRows(text, name).length}-${await sha256(new TextEncoder().encode(text))}`;
}

export const rowsBytes = (text: string): number => new TextEncoder().encode(text).length;

/** `1200 rows (SHA-256 9f86…)`, for messages. @param digest of `rowsDigest` */
export function namedRows(digest: string): string {
  const [count, hash] = digest.split('-');
  return `${count} ${count === '1' ? 'row' : 'rows'} (SHA-256 ${hash})`;
}

/** The JSON of each row, as it was written. @throws a sentence, as `splitRows` */
export const rowLines = (text: string, name: string): string[] => readRows(text, name).map(({ line }) => line);

interface DataRow {
  /** Its JSON as it was written. */
  readonly line: string;
  readonly value: Json;
}

function readRows(text: string, name = 'the run’s rows'): DataRow[] {
  const bytes = rowsBytes(text);
  if (bytes > maxRowsBytes) throw new Error(`There are ${bytes} bytes in ${name}, and ${maxRowsBytes} is the most.`);
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const rows = lines.flatMap((each, i) => {
    const line = each.trim();
    return line === '' ? [] : [{ line, value: readRow(line, i + 1, name) }];
  });
  if (rows.length === 0) throw new Error(`There is no row in ${name}: write one JSON value a line.`);
  return rows;
}

function readRow(line: string, number: number, name: string): Json {
  const value = parse(line);
  if (value === undefined)
    throw new Error(`Line ${number} of ${name} is not JSON: column ${jsonFault(line).column} cannot be read.`);
  if (nestsDeeperThan(value)) throw new Error(`Line ${number} of ${name} nests deeper than ${maxJsonDepth} levels.`);
  return value;
}

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return undefined;
  }
}

/** A hash finished so that the low bits depend on all. */
function mixed(hash: number): number {
  const value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
