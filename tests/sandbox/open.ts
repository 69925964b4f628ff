/** Opens real sandboxes in Node: one in this thread, or a pool of threads that can be terminated. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import type { Json } from '../../src/agent/types';
import type { Sandbox, Verdict } from '../../src/agent/sandbox';
import { compileQuickJs, meterQuickJs } from '../../src/cli/quickjs';
import { sdkSource } from '../../src/environments/built-in';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { WorkerPool, type SandboxWorker } from '../../src/sandbox/worker-pool';
import { nodeEndpoint } from './node-endpoint';

export async function openLocal(source: string): Promise<LocalSandbox> {
  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  await sandbox.load(source);
  return sandbox;
}

/** Bundles the worker once, as the page's build does, and returns a pool of threads that run it. */
export async function openPool(options: {
  size: number;
  silenceMs: number;
}): Promise<{ pool: WorkerPool; spawned: () => number; close: () => Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'agentlet-sandbox-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, 'thread.ts'), outDir, rollupOptions: { output: { entryFileNames: 'thread.mjs' } } },
  });
  let spawned = 0;
  const createWorker = async (): Promise<SandboxWorker> => {
    spawned++;
    const thread = new Worker(join(outDir, 'thread.mjs'));
    thread.unref();
    return Object.assign(nodeEndpoint(thread), { terminate: () => void thread.terminate() });
  };
  const pool = new WorkerPool({ binary: await meterQuickJs(), sdk: sdkSource, createWorker, ...options });
  const close = async () => {
    pool.dispose();
    await rm(outDir, { recursive: true });
  };
  return { pool, spawned: () => spawned, close };
}

/** A module with one tool `probe` whose `execute` has this body. */
export const probe = (body: string, before = '') => `
${before}
export const meta = { title: 'Probe', task: 'None.', watch: 'Nothing.', rewards: { score: { description: 'Score.', weight: 1 } }, options: [], alphabet: 'a', examples: [] };
export const tools = [{ name: 'probe', description: 'Probe.', parameters: {}, execute: function (args, context) {
${body}
} }];
export const tasks = (rng) => ({ prompt: String(rng.integer(0, 1e9)) });
export const reward = ({ answer }) => ({ score: Number(answer) });
`;

export const request = (method: string, args: Json, episode = 0, seed = 1) => ({ episode, seed, method, args });

/** Runs the tool `probe` once in an episode of its own. */
export async function runProbe(sandbox: Sandbox, args: Json = {}, episode = 0, seed = 1): Promise<Verdict> {
  return (await sandbox.call([request('execute', { tool: 'probe', arguments: args, task: null, state: null }, episode, seed)]))[0];
}
