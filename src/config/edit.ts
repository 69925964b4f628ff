/**
 * Edits of a config by path: reading and replacing one value, and what an algorithm brings when it is chosen. A config
 * is plain JSON; a path is a list of keys. Pure, and light: the first screen loads it.
 */
import type { AlgorithmDefaults } from '../algorithms/algorithm';
import type { AlgorithmName } from '../algorithms/table';
import type { RunConfig } from './config';

export type Path = readonly string[];

export function valueAt(object: unknown, path: Path): unknown {
  let value: unknown = object;
  for (const key of path) value = own(value, key);
  return value;
}

/** A copy of `object` with the value at `path` replaced; everything off the path is shared. */
export function withValue<T>(object: T, path: Path, value: unknown): T {
  if (path.length === 0) return value as T;
  const [key, ...rest] = path;
  const inner = own(object, key) ?? {};
  return { ...object, [key]: withValue(inner, rest, value) };
}

/** A value of the object itself, never one that it inherits. */
const own = (object: unknown, key: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Record<string, unknown>)[key]
    : undefined;

/** A copy of `object` with some of its values replaced; those that are objects are merged, one level deep. */
export function merged<T extends object>(object: T, values: Readonly<Record<string, unknown>>): T {
  const replaced = Object.entries(values).map(([key, value]) => [
    key,
    typeof value === 'object' ? { ...Object(object[key as keyof T]), ...value } : value,
  ]);
  return { ...object, ...Object.fromEntries(replaced) };
}

/** The path of a setting that is written with dots. */
export const pathOf = (dotted: string): Path => dotted.split('.');

/**
 * The config with one value replaced. An algorithm brings its settings (`withSettings`): the preset's where it is the
 * preset's, since those were tuned. What the algorithm before wanted beside them goes back to the preset's.
 * @param preset the config that this one began as
 * @param algorithms settings that each algorithm decides
 */
export function edited(
  config: RunConfig,
  path: Path,
  value: unknown,
  preset: RunConfig,
  algorithms: Readonly<Record<AlgorithmName, AlgorithmDefaults>>,
): RunConfig {
  if (path.join('.') !== 'algorithm.name') return withValue(config, path, value);
  const name = value as AlgorithmName;
  const settings = algorithms[name];
  // A run of another version may have an algorithm that this one lacks.
  const known: Partial<typeof algorithms> = algorithms;
  const leftOver = Object.entries(known[config.algorithm.name]?.algorithm ?? {}).filter(
    ([key, wanted]) => !Object.hasOwn(settings.algorithm ?? {}, key) && valueAt(config.algorithm, [key]) === wanted,
  );
  const returned = Object.fromEntries(leftOver.map(([key]) => [key, valueAt(preset.algorithm, [key])]));
  const own = name === preset.algorithm.name ? tunedSettings(preset, settings) : settings;
  return withSettings({ ...config, algorithm: { ...config.algorithm, ...returned } }, name, own);
}

/** The config with another algorithm under these settings. Those that are not among them stay as they are. */
export function withSettings(config: RunConfig, name: AlgorithmName, settings: AlgorithmDefaults): RunConfig {
  const { algorithm, filter, shaping, optimizer, critic } = settings;
  return {
    ...config,
    algorithm: { ...config.algorithm, ...algorithm, name },
    filter: { ...config.filter, ...filter },
    shaping: { ...config.shaping, ...shaping },
    optimizer: { ...config.optimizer, ...optimizer },
    critic: { ...config.critic, ...critic },
  };
}

/** The same settings with the preset's values. */
function tunedSettings(preset: RunConfig, settings: AlgorithmDefaults): AlgorithmDefaults {
  const parts = Object.entries(settings).map(([part, values]) => {
    const keys = Object.keys(values as object);
    return [part, Object.fromEntries(keys.map((key) => [key, valueAt(preset, [part, key])]))];
  });
  return Object.fromEntries(parts) as AlgorithmDefaults;
}
