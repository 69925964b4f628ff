/** A Sandbox in this thread: for Node, for tests, and inside each sandbox worker. */
import { assert } from '../lib/assert';
import { splitRows } from '../agent/rows';
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
  /** The one that holds the rows, if there are any: resetting it copies them, which only `tasks` needs. */
  private taskGuest: Guest | null = null;

  constructor(private readonly options: LocalSandboxOptions) {}

  async load(source: string, rows?: string): Promise<void> {
    this.dispose();
    const { binary, sdk } = this.options;
    const guest = new Guest(binary, sdk, source);
    this.taskGuest = rows === undefined ? guest : new Guest(binary, sdk, source, splitRows(rows));
    this.guest = guest;
  }

  /** Every episode of a call starts from the snapshot, so verdicts do not depend on how a pool divides the work. */
  async call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    const { guest: usual, taskGuest } = this;
    assert(usual !== null && taskGuest !== null, 'LocalSandbox.call came before load');
    const verdicts: Verdict[] = [];
    for (const indices of byEpisode(requests)) {
      usual.reset();
      taskGuest.reset();
      for (const index of indices) {
        const guest = requests[index].method === 'tasks' ? taskGuest : usual;
        verdicts[index] = guest.run(requests[index]);
        if (verdicts[index].kind === 'killed') guest.reset();
        this.options.onProgress?.();
      }
    }
    return verdicts;
  }

  dispose(): void {
    this.guest = null;
    this.taskGuest = null;
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
