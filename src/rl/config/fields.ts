/** The fields of RunConfig as a form and the command line show them, derived from the schema. */
import * as v from 'valibot';
import { RunConfigSchema } from './config';
import type { FieldInfo } from './entries';

/** A field of RunConfig as a form shows it. `path` is dotted: `optimizer.learningRate`. */
export interface Field extends FieldInfo {
  readonly path: string;
  readonly kind: 'number' | 'integer' | 'choice' | 'flag';
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly options?: readonly string[];
  readonly wrapped?: Schema;
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[];
};

/** All numbers, choices and flags, in the schema's order. Names, sources and free-form records have no field. */
export function configFields(): Field[] {
  return fieldsOf(RunConfigSchema as Schema, []);
}

function fieldsOf(schema: Schema, names: readonly string[]): Field[] {
  if (schema.type === 'strict_object') {
    return Object.entries(schema.entries ?? {}).flatMap(([name, entry]) => fieldsOf(entry, [...names, name]));
  }
  if (schema.wrapped) return fieldsOf(schema.wrapped, names);
  const info = {
    key: names.at(-1)!,
    ...(v.getMetadata(schema) as unknown as Omit<FieldInfo, 'key'>),
    path: names.join('.'),
  };
  switch (schema.type) {
    case 'number': {
      const kind = schema.pipe?.some((item) => item.type === 'integer') ? 'integer' : 'number';
      return [{ ...info, kind, min: bound(schema, 'min_value'), max: bound(schema, 'max_value') }];
    }
    case 'picklist':
      return [{ ...info, kind: 'choice', choices: schema.options }];
    case 'boolean':
      return [{ ...info, kind: 'flag' }];
    default:
      return [];
  }
}

function bound(schema: Schema, type: 'min_value' | 'max_value'): number | undefined {
  return schema.pipe?.find((item) => item.type === type)?.requirement as number | undefined;
}
