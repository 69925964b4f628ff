/** Serves a world in the test's process, and asks it as the clients of the Open Reward Standard do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { givenRun } from '../../../src/cli/run-config';
import { openServed, type ServeOptions } from '../../../src/cli/serve/open';
import type { Json } from '../../../src/lib/json';

type Given = Partial<Omit<ServeOptions, 'run'>> & { readonly set?: readonly string[] };
export type ServedHere = Awaited<ReturnType<typeof serve>>;

/** @param subject a preset, a file or a link */
export async function serve(subject: string, { set, ...options }: Given = {}) {
  const faults: string[] = [];
  const onFault = (error: Error) => void faults.push(error.message);
  const run = await givenRun(subject, { set });
  const given = { port: 0, tasks: 64, stepRewards: false, version: '1.2.3', onFault, ...options };
  const served = await openServed({ run, ...given });
  return { ...served, run, faults, client: new Client(served.address) };
}

/** Serves a module until the test is over. */
export async function serveModule(source: string, options: Given = {}): Promise<ServedHere> {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-serve-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'own.js');
  writeFileSync(file, source);
  const served = await serve(file, options);
  onTestFinished(() => served.close());
  return served;
}

export interface Answered {
  readonly status: number;
  readonly json: Json;
}

export interface Block {
  readonly type: string;
  readonly text: string;
  readonly data: string;
}

/** What a call comes to. */
export interface Result {
  readonly ok: boolean;
  readonly error?: string;
  readonly reason?: string;
  readonly output: {
    readonly blocks: readonly Block[];
    readonly metadata: { readonly [key: string]: Json } | null;
    readonly reward: number | null;
    readonly finished: boolean;
  };
}

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

export class Client {
  private sessions = 0;

  constructor(readonly address: string) {}

  get(path: string, sid?: string): Promise<Answered> {
    return this.ask(path, { headers: headersOf(sid) });
  }

  post(path: string, body?: Json, sid?: string): Promise<Answered> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return this.ask(path, { method: 'POST', headers: headersOf(sid), body: text });
  }

  async ask(path: string, init: RequestInit): Promise<Answered> {
    const response = await fetch(`${this.address}${path}`, init);
    const text = await response.text();
    return { status: response.status, json: (text === '' ? null : JSON.parse(text)) as Json };
  }

  /** Opens a session on a task. @returns its id and what is shown */
  async begin(split: string, index: number) {
    const sid = `session-${++this.sessions}`;
    const created = await this.post('/create', { split, index }, sid);
    if (created.status !== 200) throw new Error(JSON.stringify(created.json));
    const { json } = await this.get('/prompt', sid);
    return { sid, prompt: json as unknown as readonly Block[] };
  }

  async events(path: string, body: Json, sid: string): Promise<ServerEvent[]> {
    const init = { method: 'POST', headers: headersOf(sid), body: JSON.stringify(body) };
    const response = await fetch(`${this.address}${path}`, init);
    return eventsOf(await response.text());
  }

  async call(sid: string, name: string, input: Json): Promise<Result> {
    const events = await this.events('/call', { name, input }, sid);
    const { event, data } = events.at(-1)!;
    if (event !== 'end') throw new Error(data);
    return JSON.parse(data) as Result;
  }
}

const headersOf = (sid: string | undefined): Record<string, string> =>
  sid === undefined ? {} : { 'X-Session-ID': sid };

/** As the SDK reads them: it drops spaces at the beginning of each datum. */
export function eventsOf(text: string): ServerEvent[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const fields = part.split('\n').map((line): [string, string] => {
        const at = line.indexOf(':');
        return [line.slice(0, at), line.slice(at + 1).trimStart()];
      });
      const { event = '', data = '' } = Object.fromEntries(fields);
      return { event, data };
    });
}
