/**
 * Reading and replacing one value in a config, which is plain JSON. A path is a list of keys, since keys may hold dots.
 */

export type Path = readonly string[];

export function valueAt(object: unknown, path: Path): unknown {
  let value: unknown = object;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return value;
}

/** A copy of `object` with the value at `path` replaced; everything off the path is shared. */
export function withValue<T>(object: T, path: Path, value: unknown): T {
  if (path.length === 0) return value as T;
  const [key, ...rest] = path;
  const inner = (object as Record<string, unknown>)[key] ?? {};
  return { ...object, [key]: withValue(inner, rest, value) };
}

/** Equality of JSON values; key order does not count, and an absent key equals an undefined one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
