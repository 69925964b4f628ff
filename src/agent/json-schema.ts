/**
 * Checks tool arguments against a part of JSON Schema: the keywords below. Schemas come from strangers' links and
 * run on the host, so `pattern` (it can run forever), `$ref` (it can recurse) and all others are refused.
 */
import type { Json } from '../lib/json';

type JsonObject = { readonly [key: string]: Json };

const types = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];
const annotations = ['title', 'description', 'default', 'examples'];
const limits = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
const keywords = [...annotations, ...limits, 'type', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
const maxSchemaDepth = 16;

/** Why a schema cannot be used: a sentence, or null. @param where its name in the sentence */
export function schemaProblem(schema: Json, where: string, depth = 0): string | null {
  if (!isObject(schema)) return `${where} must be a JSON schema object.`;
  if (depth > maxSchemaDepth) return `${where} nests deeper than ${maxSchemaDepth} levels.`;
  const unknown = Object.keys(schema).find((key) => !keywords.includes(key));
  if (unknown !== undefined)
    return `${where} uses "${unknown}", which is not supported; use ${keywords.slice(annotations.length).join(', ')}.`;
  if ('type' in schema && !types.includes(schema.type as string))
    return `${where}: "type" must be one of ${types.join(', ')}.`;
  if ('enum' in schema && !Array.isArray(schema.enum)) return `${where}: "enum" must be a list.`;
  const { required = [] } = schema;
  if (!isArray(required) || required.some((name) => typeof name !== 'string'))
    return `${where}: "required" must be a list of names.`;
  if ('additionalProperties' in schema && typeof schema.additionalProperties !== 'boolean')
    return `${where}: "additionalProperties" must be true or false.`;
  const limit = limits.find((key) => key in schema && typeof schema[key] !== 'number');
  if (limit) return `${where}: "${limit}" must be a number.`;
  if ('properties' in schema && !isObject(schema.properties)) return `${where}: "properties" must be an object.`;
  const properties = Object.entries((schema.properties ?? {}) as JsonObject);
  const children = properties.map(([name, child]): [string, Json] => [`${where}.${name}`, child]);
  if ('items' in schema) children.push([`${where}[]`, schema.items]);
  for (const [path, child] of children) {
    const problem = schemaProblem(child, path, depth + 1);
    if (problem) return problem;
  }
  return null;
}

/** What is wrong with a value: a sentence to the agent, or null. The schema has passed `schemaProblem`. */
export function valueProblem(schema: Json, value: Json, where = 'arguments'): string | null {
  const rules = schema as JsonObject;
  if (typeof rules.type === 'string' && !hasType(value, rules.type))
    return `${where} must be ${/^[aio]/.test(rules.type) ? 'an' : 'a'} ${rules.type}.`;
  if (Array.isArray(rules.enum)) {
    const text = JSON.stringify(value);
    if (!rules.enum.some((allowed) => JSON.stringify(allowed) === text))
      return `${where} must be one of ${rules.enum.map((allowed) => JSON.stringify(allowed)).join(', ')}.`;
  }
  if (typeof value === 'number') return rangeProblem(rules, value, ['minimum', 'maximum'], where, '');
  if (typeof value === 'string')
    return rangeProblem(rules, [...value].length, ['minLength', 'maxLength'], where, ' characters');
  if (isArray(value)) {
    const problems = 'items' in rules ? value.map((item, i) => valueProblem(rules.items, item, `${where}[${i}]`)) : [];
    const lengthProblem = rangeProblem(rules, value.length, ['minItems', 'maxItems'], where, ' items');
    return lengthProblem ?? problems.find((each) => each) ?? null;
  }
  return isObject(value) ? objectProblem(rules, value, where) : null;
}

function objectProblem(rules: JsonObject, value: JsonObject, where: string): string | null {
  const properties = (rules.properties ?? {}) as JsonObject;
  for (const name of (rules.required ?? []) as string[])
    if (!Object.hasOwn(value, name)) return `${where}.${name} is missing.`;
  for (const [name, item] of Object.entries(value)) {
    // Own properties only: a schema has no rule called `constructor` unless it says so.
    if (Object.hasOwn(properties, name)) {
      const problem = valueProblem(properties[name], item, `${where}.${name}`);
      if (problem) return problem;
    } else if (rules.additionalProperties === false) return `${where}.${name} is not a parameter.`;
  }
  return null;
}

/** @param bounds keywords of the minimum and the maximum */
function rangeProblem(rules: JsonObject, size: number, bounds: string[], where: string, unit: string): string | null {
  const [min, max] = bounds.map((keyword) => rules[keyword]);
  if (typeof min === 'number' && size < min) return `${where} must be at least ${min}${unit}.`;
  if (typeof max === 'number' && size > max) return `${where} must be at most ${max}${unit}.`;
  return null;
}

function hasType(value: Json, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
