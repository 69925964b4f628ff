/** Opens real sandboxes in Node: one in this thread, or a pool of threads that can be terminated. */
import type { Worker } from 'node:worker_threads';
import type { Json } from '../../src/agent/types';
import type { Sandbox, Verdict } from '../../src/agent/sandbox';
import { compileQuickJs, meterQuickJs } from '../../src/cli/quickjs';
import { openSandboxThreads, threadWorker } from '../../src/cli/sandbox-threads';
import { sdkSource } from '../../src/environments/built-in';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { WorkerPool, type SandboxWorker } from '../../src/sandbox/worker-pool';

export async function openLocal(source: string): Promise<LocalSandbox> {
  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  await sandbox.load(source);
  return sandbox;
}

/** What a test does to the threads of a pool; `n` is the nth of those that live, in the order they were made. */
export interface Faults {
  /** Ends a thread: the pool hears of it as of a crash. */
  kill(n: number): Promise<unknown>;
  /** Drops all that a thread says from now on. */
  mute(n: number): void;
  /** The same for every thread made after the first `count`. */
  muteFrom(count: number): void;
  /** Ends every thread made after the first `count` as it starts. */
  killFrom(count: number): void;
  end(): void;
}

/** Bundles the worker once, as the page's build does, and returns a pool of threads that run it. */
export async function openPool(options: {
  size: number;
  silenceMs: number;
}): Promise<{ pool: WorkerPool; faults: Faults; spawned: () => number; close: () => Promise<void> }> {
  const threads = await openSandboxThreads();
  let spawned = 0;
  let [muted, killed] = [Infinity, Infinity];
  const live = new Set<Worker>();
  const mute = (thread: Worker) => thread.removeAllListeners('message');
  const createWorker = async (): Promise<SandboxWorker> => {
    const n = spawned++;
    const thread = threads.start();
    live.add(thread);
    if (n >= killed) setTimeout(() => void thread.terminate());
    if (n >= muted) setTimeout(() => mute(thread));
    thread.on('exit', () => live.delete(thread));
    return threadWorker(thread);
  };
  const nth = (n: number) => [...live][n];
  const faults: Faults = {
    kill: (n) => nth(n).terminate(),
    mute: (n) => void mute(nth(n)),
    muteFrom: (count) => (muted = count),
    killFrom: (count) => (killed = count),
    end: () => ([muted, killed] = [Infinity, Infinity]),
  };
  const pool = new WorkerPool({ binary: await meterQuickJs(), sdk: sdkSource, createWorker, ...options });
  const close = async () => {
    pool.dispose();
    await threads.remove();
  };
  return { pool, faults, spawned: () => spawned, close };
}

/** A module with one tool `probe` whose `execute` has this body. */
export const probe = (body: string, before = '') => `
${before}
export const meta = { title: 'Probe', task: 'None.', watch: 'Nothing.', rewards: { score: { description: \
'Score.', weight: 1 } }, options: [], alphabet: 'a', examples: [] };
export const tools = [{ name: 'probe', description: 'Probe.', parameters: {}, execute: function (args, context) {
${body}
} }];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 1e9)) });
export const reward = ({ answer }) => ({ success: answer === '1', score: Number(answer) });
`;

export const request = (method: string, args: Json, episode = 0, seed = 1) => ({ episode, seed, method, args });

/** Runs the tool `probe` once in an episode of its own. */
export async function runProbe(sandbox: Sandbox, args: Json = {}, episode = 0, seed = 1): Promise<Verdict> {
  return (
    await sandbox.call([request('execute', { tool: 'probe', arguments: args, task: null, state: null }, episode, seed)])
  )[0];
}
