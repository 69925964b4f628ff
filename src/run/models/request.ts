/** Requests to a hub: what another try may mend is repeated, the rest is one sentence. */
import { joined } from '../../lib/joined';

export interface RequestOptions {
  readonly fetch: typeof fetch;
  readonly signal?: AbortSignal;
  /** Without a byte for so long a request is given up; default `defaultSilenceMs`. */
  readonly maxSilenceMs?: number;
  /** Awaited before a request is repeated. @param failures in a row */
  wait(failures: number): Promise<void>;
}

const defaultSilenceMs = 30_000;

/** Failures in a row, without a byte between them, after which nobody waits any longer. */
const maxFailures = 5;

/** A failure that another request may not have. */
export class PassingFailure extends Error {}

/**
 * Repeats what fails in passing.
 * @param what begins the sentence at the end of all patience @param reached grows with what has come
 */
export async function repeated<T>(
  what: string,
  attempt: () => Promise<T>,
  { wait }: Pick<RequestOptions, 'wait'>,
  reached: () => Promise<number> = async () => 0,
): Promise<T> {
  let furthest = await reached();
  for (let failures = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof PassingFailure)) throw error;
      const now = await reached();
      failures = now > furthest ? 1 : failures + 1;
      furthest = Math.max(furthest, now);
      if (failures >= maxFailures)
        throw new Error(`${what} cannot be fetched: ${error.message}. Download it again to go on from there.`, {
          cause: error,
        });
      await wait(failures);
    }
  }
}

/** @throws PassingFailure, or a sentence where another request would be answered alike */
export async function answerOf(
  what: string,
  url: string,
  options: RequestOptions,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { fetch: request, signal } = options;
  const own = new AbortController();
  const stop = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const init = { headers, credentials: 'omit', referrerPolicy: 'no-referrer', signal: stop } as const;
  const response = await unlessSilent(what, request(url, init).catch(passing(signal)), options).catch(
    (error: unknown) => {
      own.abort();
      throw error;
    },
  );
  const { status } = response;
  if (status === 200 || status === 206) return response;
  await response.body?.cancel().catch(() => undefined);
  if (status === 401 || status === 403)
    throw new Error(
      `${what} is private, or its licence must be accepted on the hub first (the hub answers ${status}). ` +
        'Choose another model.',
    );
  if (status === 404) throw new Error(`${what} is not on the hub: check the repository’s name and revision.`);
  if (status === 429 || status >= 500) throw new PassingFailure(`the hub answers ${status}`);
  throw new Error(`${what} cannot be fetched: the hub answers ${status}.`);
}

/** @throws a sentence if what is to come does not come for long: whoever waits longer rarely gets more */
async function unlessSilent<T>(
  what: string,
  coming: Promise<T>,
  { maxSilenceMs = defaultSilenceMs }: Pick<RequestOptions, 'maxSilenceMs'>,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const silence = new Promise<never>((_, reject) => {
    const sentence =
      `${what} cannot be fetched: nothing came for ${maxSilenceMs / 1000} s. ` +
      'Download it again to go on from there.';
    timer = setTimeout(() => reject(new Error(sentence)), maxSilenceMs);
  });
  return Promise.race([coming, silence]).finally(() => clearTimeout(timer));
}

/** What came before an abort is no failure of the connection. */
function passing(signal: AbortSignal | undefined): (error: unknown) => never {
  return (error) => {
    if (signal?.aborted) throw error;
    throw new PassingFailure('the connection broke', { cause: error });
  };
}

/** The next bytes of an answer. @throws PassingFailure, or a sentence if none come for long */
export function nextPiece(
  what: string,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: RequestOptions,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  return unlessSilent(what, reader.read().catch(passing(options.signal)), options);
}

/** A whole answer in memory. @throws a sentence if it cannot be had, or is longer than `maxBytes` */
export async function fetchWhole(
  what: string,
  url: string,
  maxBytes: number,
  options: RequestOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return repeated(
    what,
    async () => {
      const reader = (await answerOf(what, url, options)).body!.getReader();
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      try {
        for (;;) {
          const { value, done } = await nextPiece(what, reader, options);
          if (done) return joined(pieces);
          pieces.push(value);
          bytes += value.length;
          if (bytes > maxBytes) throw new Error(`${what} cannot be used: it has more than ${maxBytes} bytes.`);
        }
      } finally {
        await reader.cancel().catch(() => undefined);
      }
    },
    options,
  );
}
