/** Iterations that one press adds to a finished run. */
export const moreIterations = 20;
