/** What a route answers. */
import type { Json } from '../../lib/json';

export interface JsonAnswer {
  readonly status: number;
  /** None: the body is empty. */
  readonly json?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Server-sent events: `task_id` at once, a sign of life every ten seconds, then `end` with the text, or `error`. */
export interface EventsAnswer {
  readonly taskId: string;
  /** Without line breaks. It may be empty. Rejects with a sentence. */
  readonly text: Promise<string>;
}

export type Answer = JsonAnswer | EventsAnswer;

/** A request that passed the limits of the server. */
export interface ServeRequest {
  readonly method: string;
  /** Decoded parts of the path. */
  readonly path: readonly string[];
  readonly header: (name: string) => string | undefined;
  /** Undefined if there is none. */
  readonly body: Json | undefined;
}

/** A request that cannot be served; the client is told why. */
export class Refusal extends Error {
  /** @param status of HTTP */
  constructor(
    readonly status: number,
    sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(sentence);
  }
}

export const ok = (json: Json): JsonAnswer => ({ status: 200, json });

/** The server has as much to do as it takes. */
export const busy = (sentence: string): Refusal => new Refusal(429, sentence, { 'Retry-After': '2' });
