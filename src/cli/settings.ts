/**
 * Changes of a config by name: from flags, links, partial files and experiments. A name is a field's path
 * (`optimizer.learningRate`) or its key in links (`lr`). An error says where the setting is and what is allowed.
 */
import { didYouMean, nearest } from '../lib/nearest';
import { plainText, quoted } from '../lib/plain-text';
import { isSafeName, nameWords } from '../lib/safe-name';
import { algorithmNames } from '../algorithms/table';
import type { RunConfig } from '../config/config';
import { withAlgorithm } from '../config/with-algorithm';
import { adapterFields, configFields, type Field } from '../config/fields';
import { optionPrefix, optionValue, rewardPrefix } from '../config/scalars';

export interface Setting {
  readonly path: string;
  readonly value: unknown;
  /** Its place, for messages: `--set lr=5`, `tiny.json`. */
  readonly where: string;
}

const fields = [...configFields(), ...adapterFields()];
const rewards = 'rewards.';
const options = 'environment.options.';
/** Fields that hold text. */
const texts: Readonly<Record<string, string>> = {
  'environment.name': 'env',
  'environment.source': 'environment.source',
  'environment.rows': 'environment.rows',
  'environment.rowsDigest': 'environment.rowsDigest',
  'warmStart.rounds': 'warmStart.rounds',
};

/** A setting with a typed value. @throws a sentence if there is no such field */
export function setting(name: string, value: unknown, where: string): Setting {
  return { path: pathOf(name, where), value, where };
}

/** A setting with a text value, of a flag or a link. */
export function settingFromText(name: string, text: string, where: string): Setting {
  const path = pathOf(name, where);
  return { path, value: typed(path, text), where };
}

/** `--set name=value`. */
export function settingFromFlag(given: string): Setting {
  const at = given.indexOf('=');
  if (at <= 0)
    throw new Error(`--set takes a field and its value, like --set lr=3e-4, but it is "${plainText(given, 80)}".`);
  return settingFromText(given.slice(0, at), given.slice(at + 1), `--set ${plainText(given, 80)}`);
}

/** Settings of a nested object: `{ optimizer: { learningRate: 1e-3 } }`. */
export function settingsFromObject(value: object, where: string, prefix = ''): Setting[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    isObject(inner) ? settingsFromObject(inner, where, `${prefix}${name}.`) : [setting(prefix + name, inner, where)],
  );
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Applies settings to a config. A new algorithm first brings its default settings. `parseConfig` checks the whole.
 * @throws a sentence if a field cannot have its value
 */
export function withSettings(config: RunConfig, settings: readonly Setting[]): RunConfig {
  const algorithm = settings.findLast(({ path }) => path === 'algorithm.name')?.value;
  const name = algorithmNames().find((each) => each === algorithm);
  const changed = structuredClone(
    name !== undefined && name !== config.algorithm.name ? withAlgorithm(config, name) : config,
  );
  for (const { path, value, where } of settings) {
    const problem = problemWith(path, value);
    if (problem) throw new Error(`${where}: ${problem}`);
    put(changed, path, value, where);
  }
  return changed;
}

/** The allowed values of a field, as part of a sentence: `whole numbers from 1 to 12`. */
export function valuesOf({ kind, min, max, choices }: Field): string {
  if (kind === 'flag') return 'on or off';
  if (kind === 'choice') return choices!.join(', ');
  return `${kind === 'integer' ? 'whole numbers' : 'numbers'} from ${min} to ${max}`;
}

function pathOf(name: string, where: string): string {
  const field = fieldOf(name);
  if (field) return field.path;
  const text = Object.entries(texts).find(([path, key]) => name === path || name === key);
  if (text) return text[0];
  for (const [prefix, path] of [
    [rewards, rewards],
    [rewardPrefix, rewards],
    [options, options],
    [optionPrefix, options],
  ]) {
    if (!name.startsWith(prefix)) continue;
    const own = name.slice(prefix.length);
    if (isSafeName(own)) return path + own;
    throw new Error(`${where}: ${quoted(own)} cannot be a name after "${prefix}": ${nameWords}.`);
  }
  const meant = nearest(name, spellings(name).keys());
  const question = meant === null ? '' : ` Did you mean ${spellings(name).get(meant)}?`;
  throw new Error(`${where}: there is no setting called "${plainText(name, 64)}".${question}`);
}

/** Names to compare a misspelt one with: paths if it has a dot, else keys and last words of paths. */
function spellings(given: string): Map<string, string> {
  const paths = [...fields.map(({ path }) => path), ...Object.keys(texts), 'environment.file', 'preset'];
  if (given.includes('.')) return new Map(paths.map((path) => [path, path]));
  const keys = [...fields.map(({ key }) => key), ...Object.values(texts)];
  return new Map([
    ...paths.map((path): [string, string] => [path.split('.').at(-1)!, path]),
    ...keys.map((key): [string, string] => [key, key]),
  ]);
}

function fieldOf(name: string): Field | undefined {
  return fields.find(({ path, key }) => name === path || name === key);
}

function typed(path: string, text: string): unknown {
  if (path.startsWith(options)) return optionValue(text);
  const field = fieldOf(path);
  if (field?.kind === 'flag')
    return text === 'on' || text === 'true' ? true : text === 'off' || text === 'false' ? false : text;
  const isNumber = path.startsWith(rewards) || field?.kind === 'number' || field?.kind === 'integer';
  return isNumber && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

/** A sentence, or null if the field may have the value. The schema checks text, rewards and options. */
function problemWith(path: string, value: unknown): string | null {
  const field = fieldOf(path);
  const given = typeof value === 'string' ? `"${plainText(value, 64)}"` : JSON.stringify(value);
  if (field) {
    if (fits(field, value)) return null;
    const meant = field.kind === 'choice' && typeof value === 'string' ? didYouMean(value, field.choices!) : '';
    return `${field.title} (${path}) cannot be ${given}; it takes ${valuesOf(field)}.${meant}`;
  }
  const isScalar = typeof value === 'number' || typeof value === 'string';
  if (path.startsWith(options)) return isScalar ? null : `${path} cannot be ${given}; it takes a number or text.`;
  if (path.startsWith(rewards))
    return typeof value === 'number' ? null : `${path} cannot be ${given}; it takes a number.`;
  return typeof value === 'string' ? null : `${path} cannot be ${given}; it takes text.`;
}

function fits({ kind, min = -Infinity, max = Infinity, choices }: Field, value: unknown): boolean {
  if (kind === 'flag') return typeof value === 'boolean';
  if (kind === 'choice') return choices!.includes(value as string);
  return typeof value === 'number' && value >= min && value <= max && (kind === 'number' || Number.isInteger(value));
}

/** @throws a sentence if the config has no such place */
function put(config: RunConfig, path: string, value: unknown, where: string): void {
  const { places, name, isNew } = stepsOf(path);
  if (places.at(-1) === 'pretrained' && !config.model.pretrained)
    throw new Error(`${where}: ${path} is of the adapter of a pretrained model: give its folder with --model DIR.`);
  let place: unknown = config;
  for (const step of places) place = own(place, step);
  if (typeof place !== 'object' || place === null || !(isNew || Object.hasOwn(place, name)))
    throw new Error(`${where}: there is no setting called "${plainText(path, 64)}".`);
  (place as Record<string, unknown>)[name] = value;
}

/** `isNew`: the last step may be a key that is not there yet. */
function stepsOf(path: string): { places: string[]; name: string; isNew: boolean } {
  const record = [rewards, options].find((prefix) => path.startsWith(prefix));
  if (record !== undefined) {
    const name = path.slice(record.length);
    return { places: record.slice(0, -1).split('.'), name, isNew: isSafeName(name) };
  }
  const steps = path.split('.');
  return { places: steps.slice(0, -1), name: steps.at(-1)!, isNew: Object.hasOwn(texts, path) };
}

const own = (place: unknown, name: string): unknown =>
  typeof place === 'object' && place !== null && Object.hasOwn(place, name)
    ? (place as Record<string, unknown>)[name]
    : undefined;
