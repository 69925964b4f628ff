/** Hostile tool code, run through a pool of real threads as in the page. Links and rendering are tested where they live. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileQuickJs } from '../../src/cli/quickjs';
import type { WorkerPool } from '../../src/sandbox/worker-pool';
import { openPool, probe, runProbe } from './open';
import sample from './attacks-sample.json';

interface Item {
  readonly name: string;
  readonly class: string;
  readonly code: string;
  readonly check: {
    readonly outcome: readonly string[];
    readonly never?: string;
    readonly maxMs?: number;
    readonly maxBytes?: number;
    readonly sameTwice?: boolean;
    readonly after?: string;
  };
}

const items = sample.items as readonly Item[];
const args = { x: 1, s: 'hi', list: [1, 2] };
/** Machines that run tests are shared and slow; the bar itself is for a quiet one. */
const slack = 3;
let pool: WorkerPool;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ pool, close } = await openPool({ size: 1, silenceMs: 1300 }));
});
afterAll(() => close());

/** Load and run in one outcome: a module that does not load is `rejected`. */
async function attack(code: string): Promise<{ kind: string; text: string }> {
  try {
    await pool.load(probe(code));
  } catch (error) {
    return { kind: 'rejected', text: (error as Error).message };
  }
  const verdict = await runProbe(pool, args);
  return { kind: verdict.kind, text: JSON.stringify(verdict) };
}

describe('attacks', () => {
  for (const item of items.filter((candidate) => !candidate.class.startsWith('share-link'))) {
    test(`${item.class}: ${item.name}`, async () => {
      const before = Object.getOwnPropertyNames(globalThis).sort();
      const start = performance.now();
      const first = await attack(item.code);
      const ms = performance.now() - start;
      expect(item.check.outcome, first.text).toContain(first.kind);
      expect(ms).toBeLessThan(slack * (item.check.maxMs ?? 2000));
      if (item.check.never !== undefined) expect(first.text).not.toContain(item.check.never);
      expect(first.text.length).toBeLessThan(item.check.maxBytes ?? 70_000);
      if (item.check.sameTwice) expect(await attack(item.code)).toEqual(first);
      expect(Object.getOwnPropertyNames(globalThis).sort()).toEqual(before);
      await pool.load(probe('return args.s'));
      expect(await runProbe(pool, args)).toEqual({ kind: 'value', value: { text: 'hi' } });
    });
  }
});

test('the engine imports nothing but the twelve inert functions', async () => {
  const names = WebAssembly.Module.imports(await compileQuickJs()).map(({ module, name }) => `${module}.${name}`);
  expect(names.sort()).toEqual([
    'env.host_call',
    'env.host_get_timezone_offset',
    'env.host_interrupt',
    'env.host_module_load',
    'env.host_module_normalize',
    'env.host_promise_rejection',
    'wasi_snapshot_preview1.clock_time_get',
    'wasi_snapshot_preview1.fd_close',
    'wasi_snapshot_preview1.fd_fdstat_get',
    'wasi_snapshot_preview1.fd_seek',
    'wasi_snapshot_preview1.fd_write',
    'wasi_snapshot_preview1.random_get',
  ]);
});
