/** Checks for programmer errors: a failed assertion is a bug in Agentlet, never bad input from a person. */
export function assert(condition: unknown, message: string | (() => string)): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${typeof message === 'string' ? message : message()}`);
}
