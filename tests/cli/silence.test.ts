import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { beginNotices, endNotices, printed, working } from '../../src/cli/silence';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-silence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Blocks this thread, as a submission of the CPU device does. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function written(act: () => Promise<void> | void, isTerminal = false): Promise<string> {
  const path = join(folder, 'stderr');
  const file = openSync(path, 'w');
  try {
    beginNotices(file, isTerminal, 400);
    await act();
    return readFileSync(path, 'utf8');
  } finally {
    endNotices();
    closeSync(file);
  }
}

test('while the main thread is blocked, a line says what is computed and for how long', async () => {
  const text = await written(() => {
    working('warm start', 'step 1 of 4');
    block(2200);
  });
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line).toMatch(/^Still computing: warm start, step 1 of 4 \(\d s\)\.$/);
  expect(lines.at(-1)).not.toBe(lines[0]);
});

test('there are no notices while the command prints, and the open line of a terminal is erased', async () => {
  const quiet = await written(async () => {
    working('validation');
    for (let i = 0; i < 20; i++) {
      printed();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  expect(quiet).toBe('');
  const onTerminal = await written(() => {
    working('validation');
    block(1000);
  }, true);
  expect(onTerminal).toMatch(/^\r\x1b\[KStill computing: validation \(\d s\)\.\n/);
});
