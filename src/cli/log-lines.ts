/** Reads logs of one JSON object a line, one line at a time, so that size does not matter. */
import { closeSync, openSync, readSync } from 'node:fs';
import * as v from 'valibot';
import { firstIssue } from '../lib/first-issue';

export interface LogLine<T> {
  readonly text: string;
  readonly value: T;
}

/**
 * The lines of a log, without an unfinished last line, which a killed run leaves.
 * @throws a sentence with file and line if a line does not fit the schema
 */
export function* readLog<T>(path: string, schema: v.GenericSchema<unknown, T>): Generator<LogLine<T>> {
  let number = 0;
  for (const { text, ended } of linesOf(path)) {
    number++;
    if (text === '') continue;
    const wrong = (what: string) => new Error(`${path}, line ${number} ${what}. Remove the line to go on.`);
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      if (!ended) return;
      throw wrong('is not JSON');
    }
    const result = v.safeParse(schema, json);
    if (!result.success) throw wrong(`is not as a run writes it: ${firstIssue(result.issues)}`);
    yield { text, value: result.output };
  }
}

/** `ended`: followed by a newline. */
function* linesOf(path: string): Generator<{ text: string; ended: boolean }> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(1 << 16);
    let begun: Buffer[] = [];
    for (let size; (size = readSync(file, chunk)) > 0;) {
      let from = 0;
      for (let at; (at = chunk.subarray(0, size).indexOf('\n', from)) >= 0; from = at + 1) {
        yield { text: Buffer.concat([...begun, chunk.subarray(from, at)]).toString(), ended: true };
        begun = [];
      }
      begun.push(Buffer.from(chunk.subarray(from, size)));
    }
    const text = Buffer.concat(begun).toString();
    if (text !== '') yield { text, ended: false };
  } finally {
    closeSync(file);
  }
}
