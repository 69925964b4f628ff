/**
 * Calls of host tools and what they gave. A call is known by its key: a digest of the tool, its arguments, the task,
 * the state before it, and the random seed of its place in the run. So the record has no order, and a run that is
 * played again finds each of its calls, whichever tool answered first.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { SandboxRequest } from '../../agent/sandbox';
import { maxJsonDepth, nestsDeeperThan, type Json } from '../../lib/json';
import { sha256 } from '../../lib/sha256';
import { readLog } from '../log-lines';
import { appendToFile } from '../safe-files';

/** Of a run folder. */
export const recordName = 'host-calls.jsonl';

/** What a tool gave, or why it declined. */
export type HostAnswer = { readonly value: Json } | { readonly refused: string };

const json = v.custom<Json>((value) => !nestsDeeperThan(value as Json), `it nests deeper than ${maxJsonDepth}`);
const LineSchema = v.object({
  key: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  tool: v.string(),
  arguments: json,
  answer: v.union([v.strictObject({ value: json }), v.strictObject({ refused: v.string() })]),
});
type Line = v.InferOutput<typeof LineSchema>;

export class CallRecord {
  private readonly lines = new Map<string, Line>();
  private path: string | null = null;

  /** @param files that earlier runs have written; the first answer of a call counts @throws a sentence */
  static read(files: readonly string[]): CallRecord {
    const record = new CallRecord();
    for (const file of files)
      for (const { value } of readLog(file, LineSchema))
        if (!record.lines.has(value.key)) record.lines.set(value.key, value);
    return record;
  }

  /** Writes all calls, also later ones, into the folder of a run. */
  keepIn(folder: string): void {
    this.path = join(folder, recordName);
    const written = existsSync(this.path) ? CallRecord.read([this.path]) : new CallRecord();
    for (const line of this.lines.values()) if (!written.lines.has(line.key)) this.append(line);
  }

  get(key: string): HostAnswer | undefined {
    return this.lines.get(key)?.answer;
  }

  add(key: string, tool: string, args: Json, answer: HostAnswer): void {
    const line = { key, tool, arguments: args, answer };
    this.lines.set(key, line);
    this.append(line);
  }

  private append(line: Line): void {
    if (this.path !== null) appendToFile(this.path, `${JSON.stringify(line)}\n`);
  }
}

export function keyOf({ seed, args }: SandboxRequest): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify([seed, args])));
}
