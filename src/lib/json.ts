/** What JSON can say, and how deep it may say it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Deepest JSON that the host takes from an agent or a guest: whoever walks or serialises a value recurses, and must not
 * overflow the stack.
 */
export const maxJsonDepth = 32;

/** Whether a value has more than `levels` levels of arrays and objects. Looks no deeper than that. */
export function nestsDeeperThan(value: Json, levels = maxJsonDepth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => nestsDeeperThan(item, levels - 1));
}
