/**
 * RunConfig as the readable scalars of a link, and back. Only differences from a base config (a preset's) are written:
 * `lr=3e-4`, `reward.correct=2`, `opt.difficulty=3`. An algorithm other than the base's brings its own settings
 * (with-algorithm.ts), and differences are from those. Reading never fails: a value that cannot be used becomes a
 * notice. The source of an environment is no scalar.
 */
import { quoted } from '../lib/plain-text';
import { isSafeName, maxNames } from '../lib/safe-name';
import { algorithmNames, type AlgorithmName } from '../algorithms/table';
import { configProblems, type RunConfig } from './config';
import { configFields, type Field } from './fields';
import { withAlgorithm } from './with-algorithm';

export type Scalars = Readonly<Record<string, string>>;

type Value = number | string | boolean;

const numeral = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
export const rewardPrefix = 'reward.';
export const optionPrefix = 'opt.';
const environmentKey = 'env';
const algorithmKey = 'algo';
/** Text of an option that must not be read as a number. */
const quotedText = /^"(.*)"$/s;
const rewardLimit = 10;
const optionLimit = 64;

/** The values in which a config differs from its base, by the short key of each field. */
export function scalarsFromConfig(config: RunConfig, base: RunConfig): Scalars {
  const scalars = new Map<string, string>();
  const put = (key: string, value: Value, before: Value | undefined): void => {
    if (value !== before) scalars.set(key, format(value));
  };
  put(environmentKey, config.environment.name, base.environment.name);
  const from = underAlgorithm(base, config.algorithm.name);
  for (const field of configFields()) {
    const before = field.key === algorithmKey ? base.algorithm.name : read(from, field.path);
    put(field.key, read(config, field.path), before);
  }
  for (const [name, value] of Object.entries(config.environment.options)) {
    const before = own(base.environment.options, name);
    const isNewText = typeof value === 'string' && typeof before !== 'string';
    put(optionPrefix + name, isNewText ? optionText(value) : value, before);
  }
  for (const [name, value] of Object.entries(config.rewards)) put(rewardPrefix + name, value, own(base.rewards, name));
  return Object.fromEntries(scalars);
}

/**
 * A base config with scalars applied.
 * @returns a valid config whenever the base is, and one sentence for each value that was ignored, clamped or rounded
 */
export function configFromScalars(scalars: Scalars, base: RunConfig): { config: RunConfig; notices: string[] } {
  const notices: string[] = [];
  const name = algorithmNames().find((each) => each === own(scalars, algorithmKey));
  const config = structuredClone(name ? underAlgorithm(base, name) : base) as RunConfig;
  const fields = new Map(configFields().map((field) => [field.key, field]));
  for (const [key, text] of Object.entries(scalars)) {
    const field = fields.get(key);
    if (field) write(config, field.path, parse(field, text, read(config, field.path), notices));
    else if (key === environmentKey) config.environment.name = text;
    else if (key.startsWith(rewardPrefix)) setReward(config, key, text, notices);
    else if (key.startsWith(optionPrefix)) setOption(config, base, key, text, notices);
    else notices.push(`${quoted(key)} is not a setting of this version; it was ignored.`);
  }
  const problems = configProblems(config);
  if (problems.length === 0) return { config, notices };
  return {
    config: structuredClone(base),
    notices: [...notices, `The settings do not fit together, so the preset's are used: ${problems.join(' ')}`],
  };
}

/** The base itself if it has that algorithm, since its settings may have been tuned. */
function underAlgorithm(base: RunConfig, name: AlgorithmName): RunConfig {
  return base.algorithm.name === name ? base : withAlgorithm(base, name);
}

/** The field's value from text, or the value before if the text does not fit. */
function parse(field: Field, text: string, before: Value, notices: string[]): Value {
  const { kind, title, key, choices = [], min = -Infinity, max = Infinity } = field;
  const instead = (allowed: string, value: Value, shown = format(value)): Value => {
    notices.push(`${title} (${key}) cannot be ${quoted(text)}; it takes ${allowed}. ${shown} is used.`);
    return value;
  };
  if (kind === 'flag') return text === 'on' || text === 'off' ? text === 'on' : instead('on or off', before);
  if (kind === 'choice') return choices.includes(text) ? text : instead(choices.join(', '), before);
  if (!numeral.test(text)) return instead('a number', before);
  const written = Number(text);
  const value = clamp(kind === 'integer' ? Math.round(written) : written, min, max);
  const numbers = kind === 'integer' ? 'whole numbers' : 'numbers';
  return value === written ? value : instead(`${numbers} from ${min} to ${max}`, value, String(value));
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

function setReward(config: RunConfig, key: string, text: string, notices: string[]): void {
  const name = key.slice(rewardPrefix.length);
  if (!isSafeName(name) || !numeral.test(text)) {
    notices.push(`${quoted(key)} cannot be ${quoted(text)}; a reward weight is a name and a number. It was ignored.`);
  } else if (!isFull(config.rewards, name, key, notices)) {
    const value = clamp(Number(text), -rewardLimit, rewardLimit);
    if (value !== Number(text))
      notices.push(
        `Reward weight ${quoted(name)} cannot be ${quoted(text)}; ` +
          `it takes numbers from ${-rewardLimit} to ${rewardLimit}. ${value} is used.`,
      );
    config.rewards[name] = value;
  }
}

function setOption(config: RunConfig, base: RunConfig, key: string, text: string, notices: string[]): void {
  const name = key.slice(optionPrefix.length);
  const value = typeof own(base.environment.options, name) === 'string' ? text : optionValue(text);
  if (!isSafeName(name) || String(value).length > optionLimit)
    notices.push(`${quoted(key)} is no environment option; it was ignored.`);
  else if (!isFull(config.environment.options, name, key, notices)) config.environment.options[name] = value;
}

/** An option's text as a scalar: between quotation marks where it would be read as a number. */
const optionText = (text: string): string => (isNumber(text) || quotedText.test(text) ? `"${text}"` : text);

/** The other way round: a number if it reads as one, else text. */
export function optionValue(scalar: string): string | number {
  if (isNumber(scalar)) return Number(scalar);
  return quotedText.exec(scalar)?.[1] ?? scalar;
}

const isNumber = (text: string): boolean => numeral.test(text) && Number.isFinite(Number(text));

/** Whether the record is full; if so, adds a notice. */
function isFull(record: Readonly<Record<string, unknown>>, name: string, key: string, notices: string[]): boolean {
  if (Object.hasOwn(record, name) || Object.keys(record).length < maxNames) return false;
  notices.push(`${quoted(key)} is more than the ${maxNames} names there may be; it was ignored.`);
  return true;
}

/** Shortest readable form: `3e-4` rather than `0.0003`, but never `1e3` for 1000. */
function format(value: Value): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const plain = String(value);
  if (typeof value === 'string' || Math.abs(value) >= 1) return plain;
  const scientific = value.toExponential();
  return scientific.length < plain.length ? scientific : plain;
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

const follow = (config: RunConfig, names: readonly string[]): unknown =>
  names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], config);

/** A path of `configFields` leads through objects to a scalar. */
const read = (config: RunConfig, path: string): Value => follow(config, path.split('.')) as Value;

function write(config: RunConfig, path: string, value: Value): void {
  const names = path.split('.');
  const last = names.pop()!;
  (follow(config, names) as Record<string, Value>)[last] = value;
}
