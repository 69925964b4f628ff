/** The built library in a bare page on a static server, under a strict policy. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageOfCheckout } from '../../src/cli/build/fresh-library.mjs';
import { openEngine } from '../../src/cli/library';
import { iterations, presetByName } from '../../src/library/engine';
import { openPage } from '../helpers/browser';
import { patienceMs } from '../helpers/lab';
import { addressOf, serve } from '../helpers/site';

const source = join(import.meta.dirname, '../library/train-bandit.html');

test('a page of at most 12 lines trains bandit with the bits of Node', async () => {
  const html = readFileSync(source, 'utf8');
  expect(html.trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-library-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(await packageOfCheckout(), folder, { recursive: true });
  cpSync(source, join(folder, 'index.html'));
  const script = /<script[^>]*>([\s\S]*)<\/script>/.exec(html)![1];
  const hash = createHash('sha256').update(script).digest('base64');
  const policy =
    `default-src 'none'; script-src 'self' 'sha256-${hash}' 'wasm-unsafe-eval'; connect-src 'self'; worker-src ` +
    `'self'`;
  const server = await serve(folder, { 'content-security-policy': policy });
  onTestFinished(() => void server.close());
  const page = await openPage({ site: addressOf(server), hash: '' });
  await page.waitForFunction(() => document.title !== '', null, { timeout: patienceMs });

  const engine = await openEngine({ device: 'cpu' });
  const trainer = await engine.trainer({ ...presetByName('bandit').config, iterations: 2 });
  for await (const _ of iterations(trainer));
  expect(await page.title()).toBe(trainer.progress.fingerprint.join('.'));
  engine.close();
});
