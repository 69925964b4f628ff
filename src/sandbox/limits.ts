/** What a guest may use. Units in the names; every limit is per guest or per request, none is shared between episodes. */
export const limits = {
  /** Bytes QuickJS may allocate. */
  heapBytes: 32 * 1024 * 1024,
  /** Bytes of linear memory after which a guest is dropped. */
  memoryBytes: 64 * 1024 * 1024,
  /** QuickJS's own stack, inside linear memory. */
  stackBytes: 192 * 1024,
  codeBytes: 64 * 1024,
  inputBytes: 64 * 1024,
  outputBytes: 64 * 1024,
  messageLength: 500,
  /** The engine polls about every 10,000 steps of bytecode; a budget in polls stops the same code at the same point on every machine. */
  loadPolls: 1000,
  loadMs: 2000,
  requestPolls: 300,
  /** Wall-clock net under the polls, for native loops that are slow without being many. */
  requestMs: 1000,
} as const;
