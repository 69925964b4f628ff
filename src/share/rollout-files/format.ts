/** What a reader of another trainer's rollouts takes and gives. A file in `formats` is a format; no list names it. */
import { plainText, quoted } from '../../lib/plain-text';

/** A JSON object of the file, and where it stands, for messages. */
export interface FileRow {
  readonly place: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ImportedRollout {
  readonly step: number;
  readonly prompt: string;
  readonly response: string;
  /** Null where a term does not apply. [terms] */
  readonly rewards: readonly (number | null)[];
  /** What the trainer trained with: one number for the whole response, or one a token. */
  readonly advantages?: readonly number[];
  /** Tokens of the response, at least one. */
  readonly tokens?: number;
  /** A critic's estimate before each token. [tokens] */
  readonly values?: readonly number[];
}

export interface RewardTerm {
  readonly name: string;
  /** What it counts in the reward, unless somebody says otherwise. */
  readonly weight: number;
}

export interface Contents {
  readonly terms: readonly RewardTerm[];
  readonly rollouts: readonly ImportedRollout[];
  readonly hasLogProbs: boolean;
}

export interface Format {
  readonly title: string;
  /** The fields that it is recognised by, for the sentence about a file of no known format. */
  readonly fields: string;
  recognises(fields: FileRow['fields']): boolean;
  /** @param rows at least one @throws a sentence that begins with the place of the fault */
  read(rows: readonly FileRow[]): Contents;
}

/** @throws always, a sentence: where, what is wrong, what to do */
export function refuse({ place }: Pick<FileRow, 'place'>, what: string, remedy: string): never {
  throw new Error(`${place}: ${what}. ${remedy}`);
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field's name as it may stand in a sentence. */
export const nameOf = (field: string): string => plainText(field, 60);

/** What a value is, for a sentence. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text ${quoted(value)}`;
  return Number.isFinite(value) || typeof value === 'boolean' ? String(value) : 'too large a number';
}

export function textOf(row: FileRow, field: string): string {
  const value = row.fields[field];
  if (typeof value === 'string') return value;
  return refuse(row, `${field} is ${inWords(value)}, and must be text`, 'Write it as text, or remove the row.');
}

export function numberOf(row: FileRow, field: string): number {
  const value = row.fields[field];
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return refuse(
    row,
    `${nameOf(field)} is ${inWords(value)}, and must be a number`,
    'Write a number there, or remove the row.',
  );
}

/** A step of training; some trainers write it as text. */
export function stepOf(row: FileRow): number {
  const { step } = row.fields;
  const value = typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  return refuse(
    row,
    `step is ${inWords(step)}, and must be a whole number from 0`,
    'Write the step of training that the rollout belongs to.',
  );
}
