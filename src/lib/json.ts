/** The type of JSON, a bound of its depth, and a text that does not depend on the order of keys. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Maximum depth of JSON from an agent or a guest, so that recursion over it never overflows the stack. */
export const maxJsonDepth = 32;

/** Looks no deeper than `levels`. */
export function nestsDeeperThan(value: Json, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => nestsDeeperThan(item, levels - 1));
}

/** JSON that is equal for equal values, whatever the order of their keys. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
