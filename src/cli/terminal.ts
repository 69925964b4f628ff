/**
 * All output of the commands. It contains strangers' text (titles, messages, names in files), and a terminal obeys
 * control characters, so they are escaped here. Only `ProgressBar` writes control characters, its own.
 */
import { printable, printableJson } from '../lib/plain-text';
import { printed } from './silence';

/** Messages, on standard error. */
export function say(text: string): void {
  process.stderr.write(printable(text));
  printed();
}

/** Results, on standard output. */
export function print(text: string): void {
  process.stdout.write(printable(text));
}

/** The same as JSON. @param indent spaces a level; 0 is one line */
export function printJson(value: unknown, indent = 0): void {
  process.stdout.write(`${printableJson(value, indent)}\n`);
}

/** A person's mistake is one sentence; a bug keeps its stack, so that it can be reported. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const ours = error.constructor === Error && !error.message.startsWith('Assertion failed');
  return ours && !process.env.DEBUG ? error.message : (error.stack ?? error.message);
}
