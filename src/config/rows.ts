/**
 * The rows of a config: files and links carry small ones in `environment.rows` and name large ones by
 * `environment.rowsDigest`. A run needs the rows themselves.
 */
import { namedRows, rowLines, rowsBytes, rowsDigest } from '../agent/rows';
import type { RunConfig } from './config';

/** Of rows that files and links carry. */
export const maxCarriedBytes = 32_768;

/**
 * The config with these rows in it.
 * @param name of the rows in messages
 * @throws a sentence if they are no rows, or not those that the config names
 */
export async function withRows(config: RunConfig, rows: string, name?: string): Promise<RunConfig> {
  const { rowsDigest: wanted, ...environment } = config.environment;
  const digest = await rowsDigest(rows, name);
  if (wanted !== undefined && digest !== wanted)
    throw new Error(`This run was made with ${namedRows(wanted)}, and ${name ?? 'these'} are ${namedRows(digest)}.`);
  return { ...config, environment: { ...environment, rows } };
}

/** The config as files carry it: large rows are named, not carried. */
export async function withoutLargeRows(config: RunConfig): Promise<RunConfig> {
  const { rows } = config.environment;
  return rows === undefined || rowsBytes(rows) <= maxCarriedBytes ? config : withoutRows(config);
}

/** The config that names its rows. */
export async function withoutRows(config: RunConfig): Promise<RunConfig> {
  const { rows, ...environment } = config.environment;
  return rows === undefined
    ? config
    : { ...config, environment: { ...environment, rowsDigest: await rowsDigest(rows) } };
}

/** A sentence if the config names rows that it does not have. */
export function missingRows({ environment: { rowsDigest: wanted } }: RunConfig): string | null {
  if (wanted === undefined) return null;
  return (
    `The tasks of this run are made from a file of ${namedRows(wanted)}, which is too large to come with it: ` +
    'give it with --rows FILE, or drop it on the page.'
  );
}

/**
 * The message that asks about rows of data in a chat, for worlds that say `rowsInChat`: the question, and the rows, one
 * line of JSON each. @throws a sentence if they are no rows
 */
export const askedAbout = (question: string, rows: string): string =>
  [question, ...rowLines(rows, 'the file')].join('\n');
