import { vi } from 'vitest';

/** Waits until a check passes. What is loaded when it is opened may take its time, the more on a busy machine. */
export const soon = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
