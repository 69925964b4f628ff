/**
 * Runs every tool item of the attack corpus in Node, Chromium and Firefox, compares the verdicts and their fuel, and
 * writes observations.json, to which observations.full.test.ts holds Node. With `AGENTLET_ATTACKS` it only compares.
 * Ends with 1 if engines disagree or a browser is missing.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { meterQuickJs } from '../../src/cli/quickjs';
import { readCorpus } from '../attacks/corpus';
import { inBrowsers } from './in-browsers';
import type * as ObserveAll from './observe-all';
import type { Observations } from './observe-all';

const here = import.meta.dirname;

async function main(): Promise<void> {
  const items = readCorpus().filter((item) => item.class !== 'share-link');
  const engine = await meterQuickJs();
  // The sandbox imports text with `?raw`, which means something to Vite and nothing to Node.
  const observeAllFile = join(here, 'observe-all.ts');
  const { module } = await runnerImport<typeof ObserveAll>(observeAllFile, { configFile: false, logLevel: 'error' });
  const node = {
    engine: `Node ${process.versions.node}`,
    answer: await module.observeAll(await WebAssembly.compile(engine), items),
  };
  const files = { 'engine.wasm': engine, 'items.json': JSON.stringify(items) };
  const seen = [node, ...(await inBrowsers<Observations>('items', files))];
  const different = items
    .map(({ name }) => name)
    .filter((name) => new Set(seen.map((each) => JSON.stringify(each.answer[name]))).size > 1);
  console.log(
    `${items.length} items in ${seen.map((each) => each.engine).join(', ')}: ${items.length - different.length} alike.`,
  );
  for (const name of different)
    for (const each of seen) console.log(`${name} in ${each.engine}: ${JSON.stringify(each.answer[name])}`);
  const complete = seen.length === 3;
  if (!complete) console.log('A Chromium and a Firefox are needed for a whole comparison.');
  if (complete && process.env.AGENTLET_ATTACKS === undefined) {
    const sha256 = { engine: await module.sha256(engine), guest: await module.guestDigest() };
    const engines = seen.map((each) => each.engine);
    const file = {
      about: 'Written by npm run engines.',
      sha256,
      engines,
      allEqual: different.length === 0,
      observations: node.answer,
    };
    await writeFile(join(here, 'observations.json'), `${JSON.stringify(file, null, 1)}\n`);
  }
  process.exitCode = complete && different.length === 0 ? 0 : 1;
}

await main();
