/** A Sandbox that passes everything on and adds up the fuel of episodes. */
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';

/** Fuel of what an episode asked for. */
export interface Fuel {
  /** One entry a request. */
  readonly calls: readonly number[];
  /** One entry an episode. */
  readonly episodes: readonly number[];
}

/** Requests that belong to no episode. */
const besides = ['describe', 'tasks', 'demonstrate'];

export class FuelMeter implements Sandbox {
  private calls: number[] = [];
  private episodes = new Map<number, number>();

  constructor(private readonly sandbox: Sandbox) {}

  load(source: string, rows?: string): Promise<void> {
    return this.sandbox.load(source, rows);
  }

  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const verdicts = await this.sandbox.call(requests);
    requests.forEach(({ episode, method }, i) => {
      if (besides.includes(method)) return;
      const { fuel } = verdicts[i];
      this.calls.push(fuel);
      this.episodes.set(episode, (this.episodes.get(episode) ?? 0) + fuel);
    });
    return verdicts;
  }

  dispose(): void {
    this.sandbox.dispose();
  }

  /** What was burnt since the last time it was read. */
  read(): Fuel {
    const fuel = { calls: this.calls, episodes: [...this.episodes.values()] };
    this.calls = [];
    this.episodes = new Map();
    return fuel;
  }
}
