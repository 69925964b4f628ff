/**
 * A table in CSV (RFC 4180) as JSON lines, one object a row. The first line names the columns; they are parted by the
 * comma, the semicolon or the tab, whichever the first line has most of. Plain numbers become numbers.
 */

const separators = [',', ';', '\t'] as const;
const numberPattern = /^-?(0|[1-9]\d{0,14})(\.\d+)?$/;

export const isCsv = (name: string): boolean => /\.(csv|tsv)$/i.test(name);

/** @param name of the file, in messages @throws a sentence, with the line if one is at fault */
export function jsonLinesOfCsv(text: string, name: string): string {
  const [header, ...records] = recordsOf(text.replace(/^\uFEFF/, ''), name);
  if (header === undefined || records.length === 0)
    throw new Error(`There is no row in ${name}: write the names of the columns in the first line, and rows below it.`);
  const columns = header.values.map((column) => column.trim());
  if (columns.includes('')) throw new Error(`A column of ${name} has no name: write one in the first line.`);
  const twice = columns.find((column, i) => columns.indexOf(column) < i);
  if (twice !== undefined) throw new Error(`Two columns of ${name} are called ${JSON.stringify(twice)}: rename one.`);
  return records.map((record) => JSON.stringify(rowOf(columns, record, name))).join('\n');
}

interface CsvRecord {
  /** Where it begins, counted from 1. */
  readonly line: number;
  readonly values: string[];
}

function rowOf(columns: readonly string[], { line, values }: CsvRecord, name: string): object {
  if (values.length !== columns.length)
    throw new Error(`Line ${line} of ${name} has ${values.length} values, and the first line names ${columns.length}.`);
  return Object.fromEntries(columns.map((column, i) => [column, valueOf(values[i])]));
}

function valueOf(text: string): string | number {
  const trimmed = text.trim();
  return numberPattern.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Every line that is not empty; a quoted value may hold separators, lines and, doubled, quotes. */
function recordsOf(text: string, name: string): CsvRecord[] {
  const separator = separatorOf(text);
  const records: CsvRecord[] = [];
  let [line, begin] = [1, 1];
  let values: string[] = [];
  const pattern = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'gy');
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw new Error(`Line ${line} of ${name} has a quote that is not closed or stands in a value.`);
    const [whole, quoted, bare, end] = match;
    values.push(quoted?.replaceAll('""', '"') ?? bare);
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === separator && pattern.lastIndex < text.length) continue;
    if (end === separator) values.push('');
    if (values.length > 1 || values[0] !== '') records.push({ line: begin, values });
    [begin, values] = [line, []];
  }
  return records;
}

function separatorOf(text: string): string {
  const [first] = text.split(/\r\n|\n|\r/, 1);
  const counts = separators.map((each) => first.split(each).length);
  return separators[counts.indexOf(Math.max(...counts))];
}
