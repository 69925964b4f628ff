/** What the schema of RunConfig is made of: numbers, choices and flags that carry what a form says of them. */
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

export const number = (min: number, max: number, info: FieldInfo) =>
  v.pipe(v.number(), v.finite(), v.minValue(min), v.maxValue(max), v.metadata({ ...info }));
export const integer = (min: number, max: number, info: FieldInfo) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.metadata({ ...info }));
export const choice = <const T extends readonly string[]>(values: T, info: FieldInfo) =>
  v.pipe(v.picklist(values), v.metadata({ ...info }));
export const flag = (info: FieldInfo) => v.pipe(v.boolean(), v.metadata({ ...info }));
