/** A Sandbox in this thread: for Node, for tests, and inside each sandbox worker. */
import { assert } from '../lib/assert';
import type { Sandbox, SandboxRequest, Verdict } from '../agent/sandbox';
import { Guest } from './guest';

export interface LocalSandboxOptions {
  /** The metered quickjs.wasm, compiled. */
  readonly binary: WebAssembly.Module;
  /** Specifier → source of the modules that environments can import. */
  readonly sdk: Readonly<Record<string, string>>;
  /** Called after each request, as a heartbeat. */
  readonly onProgress?: () => void;
}

export class LocalSandbox implements Sandbox {
  private guest: Guest | null = null;

  constructor(private readonly options: LocalSandboxOptions) {}

  async load(source: string): Promise<void> {
    this.guest = null;
    this.guest = new Guest(this.options.binary, this.options.sdk, source);
  }

  /** Every episode of a call starts from the snapshot, so verdicts do not depend on how a pool divides the work. */
  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const { guest } = this;
    assert(guest !== null, 'LocalSandbox.call came before load');
    const verdicts: Verdict[] = [];
    for (const indices of byEpisode(requests)) {
      guest.reset();
      for (const index of indices) {
        verdicts[index] = guest.run(requests[index]);
        if (verdicts[index].kind === 'killed') guest.reset();
        this.options.onProgress?.();
      }
    }
    return verdicts;
  }

  dispose(): void {
    this.guest = null;
  }
}

/** Indices of the requests of each episode, in order; episodes in order of their first request. */
export function byEpisode(requests: readonly SandboxRequest[]): number[][] {
  const groups = new Map<number, number[]>();
  requests.forEach(({ episode }, index) => {
    const group = groups.get(episode);
    if (group === undefined) groups.set(episode, [index]);
    else group.push(index);
  });
  return [...groups.values()];
}
