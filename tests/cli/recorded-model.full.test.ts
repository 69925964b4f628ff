/** What the README says that an adapter of the clone's own model learns, on the first of its seeds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordedModelFolder } from '../../src/cli/place';
import { runCommand } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'agentlet-recorded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('GRPO takes the calculator from less than 60 to more than 85 %', { timeout: 1_800_000 }, async () => {
  const settings = join(recordedModelFolder('agentlet-1.3m')!, 'calculator.json');
  const run = [settings, '--model', 'agentlet-1.3m', '--device', 'cpu'];
  const { code, stderr } = await runCommand('train', ...run, '--out', join(folder, 'run'));
  expect(code, stderr).toBe(0);
  const before = Number(/Success on 256 unseen tasks: ([\d.]+) %/.exec(stderr)![1]);
  const after = Number(/Done: ([\d.]+) % of unseen tasks/.exec(stderr)![1]);
  expect(before).toBeLessThan(60);
  expect(after).toBeGreaterThan(85);
});
