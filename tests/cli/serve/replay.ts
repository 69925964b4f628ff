/** Requests and answers of a server in a file, and how they are asked again. */
import WebSocket from 'ws';
import type { Json } from '../../../src/lib/json';
import { eventsOf } from './served';

/** One request and its answer. Texts like `$SID` stand for an id that the server made; the same one each time. */
export interface Exchange {
  readonly request: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly status: number;
  readonly answer?: Json;
  /** Of server-sent events: the datum of an `end` is JSON or a text. */
  readonly events?: readonly (readonly [event: string, data: Json])[];
}

export interface Exchanges {
  readonly about: string;
  /** What is served. */
  readonly world: string;
  readonly http: readonly Exchange[];
  /** Messages over one socket, each with its answer. */
  readonly socket: readonly { readonly send: Json; readonly receive: Json }[];
}

const idPattern = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Ids of the server by the names that stand for them. */
export class Ids {
  private readonly names = new Map<string, string>();

  /** A value with names for the ids that were never sent. */
  named(value: Json): Json {
    if (typeof value === 'string') return idPattern.test(value) ? this.nameOf(value) : value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((each) => this.named(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]: [string, Json]) => [key, this.named(each)]));
  }

  /** A text with ids in the places of their names. */
  filled(text: string): string {
    let filled = text;
    for (const [id, name] of this.names) filled = filled.replaceAll(name, id);
    return filled;
  }

  private nameOf(id: string): string {
    const name = this.names.get(id) ?? `$ID${this.names.size + 1}$`;
    this.names.set(id, name);
    return name;
  }
}

/** Sends the request. @returns the exchange with what came back */
export async function askAgain(address: string, exchange: Exchange, ids: Ids): Promise<Exchange> {
  const { request, headers = {}, body } = exchange;
  const [method, path] = request.split(' ');
  const given = Object.entries(headers).map(([name, value]) => [name, ids.filled(value)]);
  const text = body === undefined ? undefined : ids.filled(JSON.stringify(body));
  const response = await fetch(`${address}${path}`, { method, headers: Object.fromEntries(given), body: text });
  const answered = await response.text();
  const { answer: _answer, events: _events, ...asked } = exchange;
  const { status } = response;
  if (response.headers.get('content-type') !== 'text/event-stream')
    return { ...asked, status, answer: ids.named(JSON.parse(answered) as Json) };
  const events = eventsOf(answered).map(({ event, data }): [string, Json] => {
    return [event, ids.named(data.startsWith('{') ? (JSON.parse(data) as Json) : data)];
  });
  return { ...asked, status, events };
}

/** A socket of OpenEnv that is answered message by message. */
export class TestSocket {
  private readonly received: string[] = [];
  private wake: () => void = () => undefined;
  closeCode: number | null = null;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.received.push(data.toString());
      this.wake();
    });
    socket.on('close', (code) => {
      this.closeCode = code;
      this.wake();
    });
  }

  /** @param address `http://127.0.0.1:8080/ws` */
  static async open(address: string, headers: Readonly<Record<string, string>> = {}): Promise<TestSocket> {
    const socket = new WebSocket(address.replace(/^http/, 'ws'), { headers });
    const opened = new TestSocket(socket);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return opened;
  }

  ask(message: Json): Promise<Json> {
    return this.askText(JSON.stringify(message));
  }

  askText(text: string): Promise<Json> {
    this.socket.send(text);
    return this.next();
  }

  /** The next message. Rejects when the socket is closed. */
  async next(): Promise<Json> {
    while (this.received.length === 0) {
      if (this.closeCode !== null) throw new Error(`closed with ${this.closeCode}`);
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
    return JSON.parse(this.received.shift()!) as Json;
  }

  /** The code with which the server closes it. */
  async closed(): Promise<number> {
    while (this.closeCode === null) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.closeCode;
  }
}
