export type Leaf = string | number | boolean;

/** The values at the ends of nested objects and lists, by dotted path; without null and undefined. */
export function leaves(value: object, prefix = ''): Map<string, Leaf> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, Leaf][] => {
      if (typeof inner === 'object' && inner !== null) return [...leaves(inner, `${prefix}${key}.`)];
      return inner === undefined || inner === null ? [] : [[prefix + key, inner as Leaf]];
    }),
  );
}
