/** A thread that prints what is being computed when nothing else was printed for a while. */
import { Worker } from 'node:worker_threads';
import { printable } from '../lib/plain-text';

/** After five seconds without a line people think that it hangs. */
const longestMs = 4500;

let thread: Worker | null = null;

/** Starts the thread. @param output file descriptor @param isTerminal whether a line may be unfinished there */
export function beginNotices(output = 2, isTerminal = process.stderr.isTTY, quietMs = longestMs): void {
  const erase = isTerminal ? '\r\x1b[K' : '';
  thread = new Worker(new URL('./silence-thread.mjs', import.meta.url), { workerData: { quietMs, output, erase } });
  // Without notices a run is as good.
  thread.on('error', () => undefined).unref();
}

export function endNotices(): void {
  void thread?.terminate();
  thread = null;
}

/** Names what is computed from now on: `step 3 of 40`. The time in a notice begins anew with other work. */
export function working(work: string, detail = ''): void {
  thread?.postMessage({ work: printable(work), detail: printable(detail) });
}

/** To be called at every print. */
export function printed(): void {
  thread?.postMessage('printed');
}
