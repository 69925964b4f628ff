/** The longest texts that a person may bring, in bytes of UTF-8: the engine and the page refuse longer ones. */

/** An environment's module. */
export const maxCodeBytes = 64 * 1024;
/** All rows of data together. */
export const maxRowsBytes = 2_000_000;
