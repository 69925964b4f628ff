/** How fast episodes play. */

/** A whole episode takes at most so long: what moves by itself for longer would need a way to stop it. */
const mostMs = 4500;
const usualMs = 800;

/** @param scenes of the episode */
export const frameMs = (scenes: number): number => Math.min(usualMs, mostMs / Math.max(1, scenes));

/** The visitor asked for less motion. */
export const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
