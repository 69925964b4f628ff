/** Settings as the engine lists them, with the names and the help of the page's language. */
import type { Field } from '../../rl/config/fields';
import { text, type FieldsText } from './fields-text';

export const namedFields = (fields: readonly Field[]): readonly Field[] =>
  fields.map((field) => ({ ...field, ...text[field.path as keyof FieldsText] }));
