/**
 * Runs every tool item of the attack corpus, and the tasks of every world, in Node, Chromium and Firefox, compares the
 * verdicts and their fuel, and writes observations.json, to which tests/engines holds Node. With
 * `AGENTLET_ATTACKS` it only compares. Ends with 1 if engines disagree or a browser is missing.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { meterQuickJs } from '../../../src/cli/quickjs';
import { readCorpus, type Item } from '../../attacks/corpus';
import { inBrowsers } from './in-browsers';
import type * as ObserveAll from './observe-all';
import type { Observations } from './observe-all';

interface Answer {
  readonly items: Observations;
  readonly worlds: Observations;
}

const here = import.meta.dirname;

async function main(): Promise<void> {
  const items = readCorpus().filter((item) => item.class !== 'share-link');
  const engine = await meterQuickJs();
  // The sandbox imports text with `?raw`, which means something to Vite and nothing to Node.
  const observeAllFile = join(here, 'observe-all.ts');
  const { module } = await runnerImport<typeof ObserveAll>(observeAllFile, { configFile: false, logLevel: 'error' });
  const node = {
    engine: `Node ${process.versions.node}`,
    answer: await answerOf(module, await WebAssembly.compile(engine), items),
  };
  const files = { 'engine.wasm': engine, 'items.json': JSON.stringify(items) };
  const seen = [node, ...(await inBrowsers<Answer>('items', files))];
  let different = 0;
  for (const kind of ['items', 'worlds'] as const) {
    const names = Object.keys(node.answer[kind]);
    const odd = names.filter((name) => new Set(seen.map(({ answer }) => JSON.stringify(answer[kind][name]))).size > 1);
    const alike = names.length - odd.length;
    console.log(`${names.length} ${kind} in ${seen.map((each) => each.engine).join(', ')}: ${alike} alike.`);
    for (const name of odd)
      for (const { engine, answer } of seen) console.log(`${name} in ${engine}: ${JSON.stringify(answer[kind][name])}`);
    different += odd.length;
  }
  const complete = seen.length === 3;
  if (!complete) console.log('A Chromium and a Firefox are needed for a whole comparison.');
  if (complete && process.env.AGENTLET_ATTACKS === undefined) {
    const sha256 = { engine: await module.sha256(engine), guest: await module.guestDigest() };
    const engines = seen.map((each) => each.engine);
    const file = {
      about: 'Written by npm run engines.',
      sha256,
      engines,
      allEqual: different === 0,
      observations: node.answer.items,
      worlds: node.answer.worlds,
    };
    await writeFile(join(here, 'observations.json'), `${JSON.stringify(file, null, 1)}\n`);
  }
  process.exitCode = complete && different === 0 ? 0 : 1;
}

async function answerOf(
  { observeAll, observeWorlds }: typeof ObserveAll,
  binary: WebAssembly.Module,
  items: readonly Item[],
): Promise<Answer> {
  return { items: await observeAll(binary, items), worlds: await observeWorlds(binary) };
}

await main();
