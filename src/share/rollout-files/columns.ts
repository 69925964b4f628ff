/** The columns of a table that are reward terms. They are counted while its rows are read: any row may add some. */
import { refuse, type FileRow } from './format';

const maxTerms = 64;
/** Distinct names of fields. */
export const maxColumns = 1024;
const maxNameCharacters = 200;

/** What a cell says of its column: it is a reward term, it is none, or (null) nothing. */
type Judge = (value: unknown) => boolean | null;

class TermColumns {
  /** True: a term so far; false: none, whatever follows; null: no cell has said it yet. */
  readonly #isTerm = new Map<string, boolean | null>();
  #terms = 0;

  /** @param others names of fields that are no reward terms */
  constructor(
    private readonly others: ReadonlySet<string>,
    private readonly judge: Judge,
  ) {}

  /** In the order of the file. */
  get names(): string[] {
    return [...this.#isTerm].filter(([, isTerm]) => isTerm).map(([name]) => name);
  }

  /** @throws a sentence if the row brings one column too many */
  add(row: FileRow): void {
    for (const [name, value] of Object.entries(row.fields)) {
      if (this.others.has(name)) continue;
      const before = this.#isTerm.get(name);
      if (before === undefined && this.#isTerm.size === maxColumns)
        refuse(
          row,
          `it brings the ${maxColumns + 1}th column, and ${maxColumns} are the most`,
          'Remove the columns that are no rewards.',
        );
      const now = before === false ? false : (this.judge(value) ?? before ?? null);
      if (now !== before) this.#set(row, name, now);
    }
  }

  #set(row: FileRow, name: string, isTerm: boolean | null): void {
    if (this.#isTerm.get(name)) this.#terms--;
    if (isTerm) this.#terms++;
    if (this.#terms > maxTerms)
      refuse(
        row,
        `it brings the ${maxTerms + 1}th column of numbers, and ${maxTerms} reward terms are the most`,
        'Remove the columns that are no rewards.',
      );
    if (isTerm && name.length > maxNameCharacters)
      refuse(
        row,
        `the name of a column has ${name.length} characters, and ${maxNameCharacters} are the most`,
        'Shorten it.',
      );
    this.#isTerm.set(name, isTerm);
  }
}

/** @throws a sentence if the row brings one column too many */
export function termNames(rows: readonly FileRow[], others: ReadonlySet<string>, judge: Judge): string[] {
  const columns = new TermColumns(others, judge);
  for (const row of rows) columns.add(row);
  return columns.names;
}
