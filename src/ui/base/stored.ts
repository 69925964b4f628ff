/**
 * Small things that this browser keeps. Storage throws where a person or an embedding page forbids it, or where it is
 * full; then they last as long as the page.
 */

export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    return;
  }
}

/** Where this browser keeps the queue. */
export const queueKey = 'agentlet.queue';
