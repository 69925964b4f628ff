/**
 * The rows of a JSON text, however a table was written: JSON lines, a list of objects, `columns` with `data`, or a
 * column after the other. Anything else is one row.
 */
import { jsonFault } from '../../lib/json-fault';
import { maxColumns } from './columns';
import { inWords, isRecord, nameOf, refuse, type FileRow } from './format';

/** Of lists and objects in a file: the parser takes seconds for more, and the page would stand still. */
const maxContainers = 1_000_000;
const maxDepth = 1000;

/** @param name of the file, for messages @throws a sentence with the line or row */
export function readRows(text: string, name: string): FileRow[] {
  const content = text.replace(/^\uFEFF/, '');
  if (content.trim() === '') throw new Error(`${name} is empty. Choose a file that holds rollouts.`);
  requireFew(content, name);
  const json = parse(content);
  if (json !== undefined) return documentRows(json, name);
  // A document that is broken into lines begins with a bracket alone, or with a list.
  const [first] = content.trimStart().split('\n', 1);
  if (first.startsWith('{') && first.trim() !== '{') return lineRows(content, name);
  const { line, what } = faultOf(content);
  throw new Error(`${name} is not JSON: line ${line}, ${what}. Write the file again.`);
}

/** Counts lists and objects before anything is parsed. @throws a sentence */
function requireFew(content: string, name: string): void {
  let containers = 0;
  let depth = 0;
  let line = 1;
  let isText = false;
  for (let at = 0; at < content.length; at++) {
    const character = content[at];
    if (character === '\n') {
      line++;
      // A text ends with its line, if only because it is broken.
      isText = false;
    } else if (character === '"') isText = !isText;
    else if (isText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') {
      if (++depth > maxDepth)
        throw new Error(`Line ${line} of ${name} nests more than ${maxDepth} lists or objects. Write the file again.`);
      if (++containers > maxContainers)
        throw new Error(`${name} has more than a million lists and objects. Keep the rows of fewer steps.`);
    } else if (character === ']' || character === '}') depth--;
  }
}

function lineRows(text: string, name: string): FileRow[] {
  return text.split('\n').flatMap((each, i) => {
    const place = `Line ${i + 1} of ${name}`;
    if (each.trim() === '') return [];
    const value = parse(each);
    if (value === undefined)
      return refuse({ place }, `it is not JSON, ${faultOf(each).what}`, 'Remove the line, or write the file again.');
    return [rowOf(value, place)];
  });
}

function documentRows(json: unknown, name: string): FileRow[] {
  const row = (value: unknown, i: number): FileRow => rowOf(value, `Row ${i + 1} of ${name}`);
  if (Array.isArray(json)) return json.map(row);
  if (!isRecord(json)) return [rowOf(json, name)];
  const { columns, data } = json;
  if (Array.isArray(columns) && Array.isArray(data)) {
    const names = columnNames(columns, name);
    return data.map((cells: unknown, i) => row(Array.isArray(cells) ? zip(names, cells) : cells, i));
  }
  const table = columnTable(json, name);
  return table?.map(row) ?? [{ place: name, fields: json }];
}

/** @param name of the file, for messages @throws a sentence about the names of a table's columns */
function columnNames(columns: readonly unknown[], name: string): string[] {
  requireFewColumns(columns.length, name);
  const names = new Set<string>();
  for (const [i, column] of columns.entries()) {
    // pandas numbers the columns that nobody named.
    const known = typeof column === 'number' ? String(column) : column;
    if (typeof known !== 'string')
      return refuse(
        { place: name },
        `the name of column ${i + 1} is ${inWords(column)}, and must be text`,
        'Write the table again.',
      );
    if (names.has(known))
      return refuse({ place: name }, `two columns are called ${nameOf(known)}`, 'Rename one of them.');
    names.add(known);
  }
  return [...names];
}

function requireFewColumns(count: number, name: string): void {
  if (count > maxColumns)
    throw new Error(`${name} has ${count} columns, and ${maxColumns} are the most. Remove columns.`);
}

/** The rows of `{ name: cells }`, cells a list or an object by row; null for another object. */
function columnTable(
  json: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>>[] | null {
  const names = Object.keys(json);
  const values = Object.values(json);
  if (names.length < 2 || !(values.every(isRecord) || values.every(Array.isArray))) return null;
  requireFewColumns(names.length, name);
  const columns = values.map((column): unknown[] => Object.values(column as object));
  if (columns.some(({ length }) => length !== columns[0].length)) return null;
  const cells = (i: number) => columns.map((column) => column[i]);
  return columns[0].map((_, i) => zip(names, cells(i)));
}

/** A row's fields by name. It costs its cells, however many names there are. */
const zip = (names: readonly string[], cells: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(cells.slice(0, names.length).map((cell, i) => [names[i], cell]));

function rowOf(value: unknown, place: string): FileRow {
  if (isRecord(value)) return { place, fields: value };
  return refuse({ place }, `it is ${inWords(value)}, and must be an object of fields`, 'Remove it, or write it again.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function faultOf(text: string): { readonly line: number; readonly what: string } {
  try {
    const { line, column } = jsonFault(text);
    const rest = text.split('\n')[line - 1].slice(column - 1);
    const number = /^-?(NaN|Infinity)/.exec(rest)?.[0];
    if (number) return { line, what: `column ${column} has ${number}, which JSON does not have: write null there` };
    return { line, what: isCut(rest) ? 'it ends too early' : `column ${column} cannot be read` };
  } catch {
    return { line: 1, what: 'it is cut short or nests too deeply' };
  }
}

/** Nothing, or a text without its end. */
const isCut = (rest: string): boolean => /^\s*("(?:[^"\\]|\\.)*\\?)?$/.test(rest);
