/**
 * A Sandbox over several workers: a batch is split by episode, each worker gets one message a call, and a worker that
 * dies or falls silent is replaced and asked the same again. Guests are stopped by fuel and never from here, so no
 * answer depends on how fast a machine is. The factory decides what a worker is; nothing here asks where it runs.
 */
import { wrap, type Endpoint, type Remote } from 'comlink';
import { assert } from '../lib/assert';
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';
import { byEpisode } from './local-sandbox';
import type { SandboxWorkerApi } from './worker-api';

/**
 * A `Worker`, or a port to one. It fires `error` or `close` when it dies, if it can know; one that cannot falls silent.
 */
export type SandboxWorker = Endpoint & { terminate(): void };

export interface WorkerPoolOptions {
  /** The metered quickjs.wasm. */
  readonly binary: BufferSource;
  /** Specifier → source of the modules that environments can import. */
  readonly sdk: Readonly<Record<string, string>>;
  readonly createWorker: () => Promise<SandboxWorker>;
  /** Workers, 1 to 8. */
  readonly size: number;
  /** Silence after which a busy worker counts as stuck; many times what one request takes on a slow machine. */
  readonly silenceMs?: number;
}

/** A request of all its fuel is 0.4 s on a desktop; this leaves room for one 50 times slower. */
const usualSilenceMs = 20_000;
/** Deaths in a row after which a worker is not replaced any more. */
const mostDeaths = 3;
/** One silence may be a worker that died without a word; the second is the machine. */
const mostSilences = 2;
const closedSentence = 'The sandbox was closed.';

export class WorkerPool implements Sandbox {
  private readonly members: readonly Member[];

  constructor(options: WorkerPoolOptions) {
    assert(options.size >= 1 && options.size <= 8, () => `a pool has 1 to 8 workers, not ${options.size}`);
    this.members = Array.from({ length: options.size }, () => new Member(options));
  }

  async load(source: string): Promise<void> {
    await Promise.all(this.members.map((member) => member.load(source)));
  }

  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const shares: number[][] = this.members.map(() => []);
    byEpisode(requests).forEach((indices, episode) => shares[episode % shares.length].push(...indices));
    const verdicts: Verdict[] = [];
    await Promise.all(
      shares.map(async (indices, k) => {
        if (indices.length === 0) return;
        const answers = await this.members[k].call(indices.map((index) => requests[index]));
        answers.forEach((verdict, i) => (verdicts[indices[i]] = verdict));
      }),
    );
    return verdicts;
  }

  dispose(): void {
    for (const member of this.members) member.dispose();
  }
}

/** A worker is gone. `died` was told of it, `silent` is inferred. */
class WorkerLost extends Error {
  constructor(
    readonly how: 'died' | 'silent' | 'closed',
    why: string,
  ) {
    super(why);
  }
}

/** One place in the pool: its worker now, and what the next worker there must load. */
class Member {
  private readonly silenceMs: number;
  private worker: SandboxWorker | null = null;
  private remote: Remote<SandboxWorkerApi> | null = null;
  private source: string | null = null;
  private queue: Promise<void> = Promise.resolve();
  private silentTicks = 0;
  private closed = false;
  private lose: (error: WorkerLost) => void = () => {};

  constructor(private readonly options: WorkerPoolOptions) {
    this.silenceMs = options.silenceMs ?? usualSilenceMs;
  }

  load(source: string): Promise<void> {
    return this.enqueue(async () => {
      this.source = null;
      await this.persistently((remote) => remote.load(source));
      this.source = source;
    });
  }

  call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    return this.enqueue(() => {
      assert(this.source !== null, 'WorkerPool.call came before load');
      return this.persistently((remote) => remote.call(requests));
    });
  }

  dispose(): void {
    this.closed = true;
    this.source = null;
    this.lose(new WorkerLost('closed', closedSentence));
    this.drop();
  }

  /** One thing at a time, so that silence can be blamed on it. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(() => {
      if (this.closed) throw new WorkerLost('closed', closedSentence);
      return work();
    });
    // Not the result: an idle member would hold its last answers.
    this.queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /**
   * Asks until there is an answer: each call starts from the snapshot, so a new worker gives the answer the lost one
   * would have given.
   */
  private async persistently<T>(ask: (remote: Remote<SandboxWorkerApi>) => Promise<T>): Promise<T> {
    let deaths = 0;
    let silences = 0;
    for (;;) {
      try {
        if (this.worker === null) await this.prepare();
        return await this.watched(ask);
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        this.drop();
        if (error.how === 'closed') throw error;
        if (error.how === 'silent' && ++silences === mostSilences) throw tooSlow(this.silenceMs, error);
        if (error.how === 'died' && ++deaths === mostDeaths) throw diesAlways(error);
      }
    }
  }

  private async prepare(): Promise<void> {
    const { source } = this;
    const worker = await this.options.createWorker();
    if (this.closed) {
      worker.terminate();
      throw new WorkerLost('closed', closedSentence);
    }
    this.worker = worker;
    this.remote = wrap<SandboxWorkerApi>(worker);
    const died = (why: string) => {
      if (worker !== this.worker) return;
      this.drop();
      this.lose(new WorkerLost('died', why));
    };
    worker.addEventListener('message', () => (this.silentTicks = 0));
    worker.addEventListener('error', (event) => died((event as ErrorEvent).message || 'no reason was given'));
    worker.addEventListener('close', () => died('it was closed'));
    (worker as Partial<MessagePort>).start?.();
    await this.watched((remote) => remote.start(this.options.binary, this.options.sdk));
    if (source !== null) await this.watched((remote) => remote.load(source));
  }

  private drop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.remote = null;
  }

  /**
   * Counts ticks of this thread's own timer rather than the clock: if this thread was blocked, the worker is not to
   * blame.
   */
  private async watched<T>(ask: (remote: Remote<SandboxWorkerApi>) => Promise<T>): Promise<T> {
    const { remote } = this;
    assert(remote !== null, 'a sandbox worker was asked before it was made');
    const ticks = 10;
    this.silentTicks = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    try {
      return await new Promise<T>((resolve, reject) => {
        this.lose = reject;
        timer = setInterval(() => {
          if (++this.silentTicks >= ticks) reject(new WorkerLost('silent', `it said nothing for ${this.silenceMs} ms`));
        }, this.silenceMs / ticks);
        ask(remote).then(resolve, reject);
      });
    } finally {
      clearInterval(timer);
    }
  }
}

function tooSlow(silenceMs: number, cause: Error): Error {
  const seconds = Math.round(silenceMs / 1000);
  return new Error(
    `The environment is too slow on this machine: twice, nothing came back for ${seconds} s; the run was stopped. Close other programs and try again, or make the environment do less in each call.`,
    { cause },
  );
}

function diesAlways(cause: Error): Error {
  return new Error(
    `The sandbox died ${mostDeaths} times in a row (${cause.message}); the run was stopped. Start it again.`,
    {
      cause,
    },
  );
}
