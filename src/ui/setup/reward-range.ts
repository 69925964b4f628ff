/** Weights that a term of a reward may have. */
export const rewardRange = { min: -10, max: 10 } as const;
