/** What the schema of RunConfig is made of: numbers, choices and flags with what a form says of them. */
import * as v from 'valibot';

/** What a form needs to show a field: metadata of the schema. */
export interface FieldInfo {
  /** Short name in links and on the command line. */
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly unit?: string;
  /** `log` fields step by factors. */
  readonly scale?: 'log';
}

/** Without a key, a field is called as in the schema; with a default, it may be missing in files. */
type Entry<T> = Omit<FieldInfo, 'key'> & { readonly key?: string; readonly default?: T };
type MaybeOptional<S extends v.GenericSchema, E> = E extends { readonly default: unknown }
  ? v.OptionalSchema<S, v.InferInput<S>>
  : S;

function entry<S extends v.GenericSchema, E extends Entry<v.InferInput<S>>>(schema: S, { default: value }: E) {
  return (value === undefined ? schema : v.optional(schema, value)) as MaybeOptional<S, E>;
}

const about = ({ default: _, ...info }: Entry<unknown>) => info;

export const number = <E extends Entry<number>>(min: number, max: number, info: E) =>
  entry(v.pipe(v.number(), v.finite(), v.minValue(min), v.maxValue(max), v.metadata(about(info))), info);
export const integer = <E extends Entry<number>>(min: number, max: number, info: E) =>
  entry(v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.metadata(about(info))), info);
export const choice = <const T extends readonly string[], E extends Entry<T[number]>>(values: T, info: E) =>
  entry(v.pipe(v.picklist(values), v.metadata(about(info))), info);
export const flag = <E extends Entry<boolean>>(info: E) => entry(v.pipe(v.boolean(), v.metadata(about(info))), info);
