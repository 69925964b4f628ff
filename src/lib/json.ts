/** The type of JSON, and a bound of its depth. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Maximum depth of JSON from an agent or a guest, so that recursion over it never overflows the stack. */
export const maxJsonDepth = 32;

/** Looks no deeper than `levels`. */
export function nestsDeeperThan(value: Json, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => nestsDeeperThan(item, levels - 1));
}
