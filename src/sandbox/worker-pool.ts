/**
 * A Sandbox over several workers: a batch is split by episode, each worker gets one message a call, and a worker that
 * falls silent is terminated and replaced. The factory decides what a worker is; nothing here asks where it runs.
 */
import { wrap, type Endpoint, type Remote } from 'comlink';
import { assert } from '../lib/assert';
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';
import { byEpisode } from './local-sandbox';
import type { SandboxWorkerApi } from './worker-api';

/** A browser's `Worker` as it is, or anything that behaves like one. */
export type SandboxWorker = Endpoint & { terminate(): void };

export interface WorkerPoolOptions {
  /** quickjs.wasm, compiled. */
  readonly binary: WebAssembly.Module;
  /** Source of the module that environments import as `agentlet`. */
  readonly sdk: string;
  readonly createWorker: () => SandboxWorker;
  /** Workers, 1 to 8. */
  readonly size: number;
  /** Silence after which a busy worker counts as stuck; longer than one request may take. */
  readonly silenceMs?: number;
}

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

class WorkerLost extends Error {
  constructor(
    readonly reason: 'time' | 'trap',
    what: string,
  ) {
    super(what);
  }
}

/** One place in the pool: its worker now, and what the next worker there must load. */
class Member {
  private readonly silenceMs: number;
  private worker: SandboxWorker | null = null;
  private remote: Remote<SandboxWorkerApi> | null = null;
  private source: string | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private silentTicks = 0;
  private lose: (error: WorkerLost) => void = () => {};

  constructor(private readonly options: WorkerPoolOptions) {
    this.silenceMs = options.silenceMs ?? 5000;
  }

  load(source: string): Promise<void> {
    return this.enqueue(async () => {
      this.source = null;
      try {
        await this.prepare(source);
        this.source = source;
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        this.drop();
        throw new Error(`The environment cannot be loaded: ${error.message}.`, { cause: error });
      }
    });
  }

  call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    return this.enqueue(async () => {
      const { source } = this;
      assert(source !== null, 'WorkerPool.call came before load');
      try {
        if (this.worker === null) await this.prepare(source);
        return await this.watched((remote) => remote.call(requests));
      } catch (error) {
        if (!(error instanceof WorkerLost)) throw error;
        this.drop();
        return requests.map((): Verdict => ({ kind: 'killed', reason: error.reason }));
      }
    });
  }

  dispose(): void {
    this.source = null;
    this.lose(new WorkerLost('trap', 'the sandbox was closed'));
    this.drop();
  }

  /** One thing at a time, so that silence can be blamed on it. */
  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => {});
    return result;
  }

  private async prepare(source: string): Promise<void> {
    if (this.worker === null) await this.spawn();
    await this.watched((remote) => remote.load(source));
  }

  private async spawn(): Promise<void> {
    const worker = this.options.createWorker();
    this.worker = worker;
    this.remote = wrap<SandboxWorkerApi>(worker);
    worker.addEventListener('message', () => (this.silentTicks = 0));
    worker.addEventListener('error', (event) => this.lose(new WorkerLost('trap', `its worker failed (${(event as ErrorEvent).message})`)));
    await this.orLost((remote) => remote.start(this.options.binary, this.options.sdk));
  }

  private drop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.remote = null;
  }

  /** Counts ticks of this thread's own timer rather than the clock: if this thread was blocked, the worker is not to blame. */
  private async watched<T>(ask: (remote: Remote<SandboxWorkerApi>) => Promise<T>): Promise<T> {
    const ticks = 10;
    this.silentTicks = 0;
    const timer = setInterval(() => {
      if (++this.silentTicks >= ticks) this.lose(new WorkerLost('time', `it did nothing for ${this.silenceMs} ms and was stopped`));
    }, this.silenceMs / ticks);
    try {
      return await this.orLost(ask);
    } finally {
      clearInterval(timer);
    }
  }

  /** Starting is not watched, since a worker's script may come over a slow network; it can only fail. */
  private orLost<T>(ask: (remote: Remote<SandboxWorkerApi>) => Promise<T>): Promise<T> {
    const { remote } = this;
    assert(remote !== null, 'a sandbox worker was asked before it was made');
    return new Promise<T>((resolve, reject) => {
      this.lose = reject;
      ask(remote).then(resolve, reject);
    });
  }
}
