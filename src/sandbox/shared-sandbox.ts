/**
 * A Sandbox for callers who each ask for a little. A worker that is free takes what waits, several episodes in one
 * message if many wait, so all workers have work, and a heavy call holds up only the calls that it travels with.
 */
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';
import { assert } from '../lib/assert';
import { byEpisode } from './local-sandbox';

/** Maximum episodes of a message: a heavy call delays as many others. */
const maxEpisodes = 8;

/** Requests of one episode, which travel together and in order. */
interface Waiting {
  readonly requests: readonly SandboxRequest[];
  readonly resolve: (verdicts: Verdict[]) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedSandbox implements Sandbox {
  private readonly waiting: Waiting[] = [];
  /** Those without work, the one that has been idle longest first. */
  private readonly idle: Sandbox[];

  /** @param workers each of which runs one message at a time */
  constructor(private readonly workers: readonly Sandbox[]) {
    assert(workers.length > 0, 'a shared sandbox needs at least one worker');
    this.idle = [...workers];
  }

  async load(source: string, rows?: string): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.load(source, rows)));
  }

  /** Verdicts do not depend on what else is asked: each episode starts from the snapshot. */
  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    await Promise.all(
      byEpisode(requests).map(async (indices) => {
        const answers = await this.enqueue(indices.map((index) => requests[index]));
        answers.forEach((verdict, i) => (verdicts[indices[i]] = verdict));
      }),
    );
    return verdicts;
  }

  dispose(): void {
    for (const worker of this.workers) worker.dispose();
  }

  private enqueue(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ requests, resolve, reject });
      this.deal();
    });
  }

  /** Gives each idle worker its share of what waits. */
  private deal(): void {
    while (this.waiting.length > 0 && this.idle.length > 0) {
      const share = Math.min(maxEpisodes, Math.ceil(this.waiting.length / this.idle.length));
      const worker = this.idle.shift()!;
      void this.send(worker, this.waiting.splice(0, share)).then(() => {
        this.idle.push(worker);
        this.deal();
      });
    }
  }

  private async send(worker: Sandbox, share: readonly Waiting[]): Promise<void> {
    // Callers number their episodes alone, and two of one number would share a guest that is not reset.
    const message = share.flatMap(({ requests }, episode) => requests.map((request) => ({ ...request, episode })));
    try {
      const verdicts = await worker.call(message);
      let from = 0;
      for (const { requests, resolve } of share) {
        resolve(verdicts.slice(from, from + requests.length));
        from += requests.length;
      }
    } catch (error) {
      for (const { reject } of share) reject(error);
    }
  }
}
