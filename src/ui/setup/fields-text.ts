/** Names and help of settings, where they are not the engine's own, which are English (`rl/config/fields.ts`). */
import type { RunConfig } from '../../rl/config/config';

/** Dotted paths of all that is no object: `optimizer.learningRate`. */
type Path<T> = { [Key in keyof T & string]: T[Key] extends object ? `${Key}.${Path<T[Key]>}` : Key }[keyof T & string];

interface FieldText {
  readonly title: string;
  readonly help: string;
  /** Of the numbers that have one. */
  readonly unit?: string;
}

export type FieldsText = Readonly<Record<Path<Omit<RunConfig, 'environment' | 'rewards'>>, FieldText>>;

export const text: Partial<FieldsText> = {};
