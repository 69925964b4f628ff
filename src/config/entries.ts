/** What the schema of RunConfig is made of: numbers, choices and flags with what a form shows of them. */
import * as v from 'valibot';

/** Metadata of a number, a choice or a flag. */
export interface FieldInfo {
  readonly kind: 'number' | 'integer' | 'choice' | 'flag';
  /** Short name in links and on the command line. */
  readonly key: string;
  readonly title: string;
  readonly unit?: string;
  /** `log` fields step by factors. */
  readonly scale?: 'log';
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

/** Without a key, a field is called as in the schema; with a default, it may be missing in files. */
type More<T> = Partial<Pick<FieldInfo, 'key' | 'unit' | 'scale'>> & { readonly default?: T };
type MaybeOptional<S extends v.GenericSchema, M> = M extends { readonly default: unknown }
  ? v.OptionalSchema<S, v.InferInput<S>>
  : S;

function entry<S extends v.GenericSchema, M extends More<v.InferInput<S>>>(
  schema: S,
  info: Omit<FieldInfo, 'key'>,
  { default: value, ...more }: M,
) {
  const described = v.pipe(schema, v.metadata({ ...info, ...more }));
  return (value === undefined ? described : v.optional(described, value)) as unknown as MaybeOptional<S, M>;
}

const none: object = {};

export const number = <M extends More<number>>(min: number, max: number, title: string, more = none as M) =>
  entry(v.pipe(v.number(), v.finite(), v.minValue(min), v.maxValue(max)), { kind: 'number', title, min, max }, more);
export const integer = <M extends More<number>>(min: number, max: number, title: string, more = none as M) =>
  entry(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max)), { kind: 'integer', title, min, max }, more);
export const choice = <const T extends readonly string[], M extends More<T[number]>>(
  choices: T,
  title: string,
  more = none as M,
) => entry(v.picklist(choices), { kind: 'choice', title, choices }, more);
export const flag = <M extends More<boolean>>(title: string, more = none as M) =>
  entry(v.boolean(), { kind: 'flag', title }, more);
