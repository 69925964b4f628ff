/** Fields of a tool's arguments, made from its JSON schema, and the arguments that they hold. Pure. */
import type { Tool } from '../../../agent/env';
import type { Json } from '../../../lib/json';
import { text } from './text';

export interface ToolField {
  readonly name: string;
  readonly hint: string;
  /** `json` is an object or a list, which is written as JSON. */
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'json';
  readonly choices: readonly Json[];
  readonly isRequired: boolean;
}

interface Schema {
  readonly type?: Json;
  readonly enum?: readonly Json[];
  readonly description?: Json;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** @param parameters of a tool: a schema that the engine has checked */
export function fieldsOf(parameters: Json): readonly ToolField[] {
  const { properties = {}, required = [] } = parameters as Schema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    hint: typeof schema.description === 'string' ? schema.description : '',
    kind: kindOf(schema),
    choices: schema.enum ?? [],
    isRequired: required.includes(name),
  }));
}

function kindOf({ type, enum: choices }: Schema): ToolField['kind'] {
  if (choices !== undefined) return 'choice';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'flag';
  return type === 'string' || type === undefined ? 'text' : 'json';
}

/**
 * What the fields hold. What cannot be read as its type stays a text, which the engine refuses with a sentence.
 * @param written text of each field; of a choice its place, of a flag `true` or nothing
 */
export function argumentsOf(fields: readonly ToolField[], written: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(
    fields.flatMap((field): [string, Json][] => {
      const value = valueOf(field, written[field.name] ?? '');
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
}

/** Undefined: the argument is left out. */
function valueOf({ kind, choices, isRequired }: ToolField, text: string): Json | undefined {
  if (kind === 'flag') return text === 'true';
  if (kind === 'text') return text !== '' || isRequired ? text : undefined;
  if (text.trim() === '') return undefined;
  if (kind === 'choice') return choices[Number(text)];
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** The answer as a tool, which the agent writes without a call. */
export const answerTool: Tool = {
  name: 'answer',
  description: text.answerHint,
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

/** What a choice is called on its button. */
export const choiceName = (choice: Json): string => (typeof choice === 'string' ? choice : JSON.stringify(choice));
