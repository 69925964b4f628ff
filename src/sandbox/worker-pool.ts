/**
 * A Sandbox over several workers: splits a batch by episode, sends each worker one message a call, and replaces one
 * that crashes or falls silent, repeating its call. Only fuel stops a guest, so no answer depends on a machine's speed.
 */
import { wrap, type Endpoint, type Remote } from 'comlink';
import { assert } from '../lib/assert';
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';
import { byEpisode } from './local-sandbox';
import type { SandboxWorkerApi } from './worker-api';

/** A `Worker`, or a port to one. Fires `error` or `close` when it crashes, if it can; otherwise it falls silent. */
export type SandboxWorker = Endpoint & { terminate(): void };

export interface WorkerPoolOptions {
  /** The metered quickjs.wasm. */
  readonly binary: BufferSource;
  /** Specifier → source of the modules that environments can import. */
  readonly sdk: Readonly<Record<string, string>>;
  readonly createWorker: () => Promise<SandboxWorker>;
  /** Workers, 1 to 8. */
  readonly size: number;
  /** Silence after which a busy worker counts as stuck: many times the longest request on a slow machine. */
  readonly silenceMs?: number;
}

/** A request that burns all its fuel takes 0.4 s on a desktop; this allows for a machine 50 times slower. */
const usualSilenceMs = 20_000;
/** In a row; then a worker is not replaced again. */
const maxCrashes = 3;
/** One silence may be a crash without an event; two mean that the machine is too slow. */
const maxSilences = 2;
const closedSentence = 'The sandbox was closed.';

export class WorkerPool implements Sandbox {
  private readonly members: readonly Member[];

  constructor(options: WorkerPoolOptions) {
    assert(options.size >= 1 && options.size <= 8, () => `a pool has 1 to 8 workers, not ${options.size}`);
    this.members = Array.from({ length: options.size }, () => new Member(options));
  }

  async load(source: string, rows?: string): Promise<void> {
    await Promise.all(this.members.map((member) => member.load([source, rows])));
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

/** A worker is gone: `died` if an event said so, `silent` if it stopped answering. */
class WorkerLost extends Error {
  constructor(
    readonly how: 'died' | 'silent' | 'closed',
    why: string,
  ) {
    super(why);
  }
}

/** What a worker must load: a module and the rows of its tasks. */
type Loaded = readonly [source: string, rows: string | undefined];

/** One place in the pool: its current worker, and what a replacement must load. */
class Member {
  private readonly silenceMs: number;
  private worker: SandboxWorker | null = null;
  private remote: Remote<SandboxWorkerApi> | null = null;
  private loaded: Loaded | null = null;
  private queue: Promise<void> = Promise.resolve();
  private silentTicks = 0;
  private closed = false;
  private lose: (error: WorkerLost) => void = () => {};

  constructor(private readonly options: WorkerPoolOptions) {
    this.silenceMs = options.silenceMs ?? usualSilenceMs;
  }

  load(module: Loaded): Promise<void> {
    return this.enqueue(async () => {
      this.loaded = null;
      await this.persistently((remote) => remote.load(...module));
      this.loaded = module;
    });
  }

  call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    return this.enqueue(() => {
      assert(this.loaded !== null, 'WorkerPool.call came before load');
      return this.persistently((remote) => remote.call(requests));
    });
  }

  dispose(): void {
    this.closed = true;
    this.loaded = null;
    this.lose(new WorkerLost('closed', closedSentence));
    this.drop();
  }

  /** One call at a time, so that silence means this call. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(() => {
      if (this.closed) throw new WorkerLost('closed', closedSentence);
      return work();
    });
    // Resolves to undefined: an idle member must not hold its last answers.
    this.queue = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  /** Repeats the call until it is answered. It starts from the snapshot, so a new worker gives the same answer. */
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
        if (error.how === 'silent' && ++silences === maxSilences) throw tooSlow(this.silenceMs, error);
        if (error.how === 'died' && ++deaths === maxCrashes) throw diesAlways(error);
      }
    }
  }

  private async prepare(): Promise<void> {
    const { loaded } = this;
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
    if (loaded !== null) await this.watched((remote) => remote.load(...loaded));
  }

  private drop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.remote = null;
  }

  /** Counts ticks of this thread's own timer, not the clock: this thread may have been blocked itself. */
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
    `The environment is too slow on this machine: twice, nothing came back for ${seconds} s; the run was stopped. ` +
      'Close other programs and try again, or make the environment do less in each call.',
    { cause },
  );
}

function diesAlways(cause: Error): Error {
  return new Error(
    `The sandbox died ${maxCrashes} times in a row (${cause.message}); the run was stopped. Start it again.`,
    {
      cause,
    },
  );
}
