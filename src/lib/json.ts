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

/** JSON as Python writes it: with a space behind each comma and each colon. */
export function pythonJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item as Json)}`);
  return `{${entries.join(', ')}}`;
}
