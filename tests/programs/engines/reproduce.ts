/**
 * `npm run reproduce`: for every preset, trains some iterations on the CPU device in Node, Chromium and Firefox with
 * one thread, opens each run's link in the two others with several threads, and prints how many digests of iterations
 * are the same, what the page says, and whether the checkpoints are equal byte by byte. Exits with 1 if one is not or a
 * browser is missing. `npm run reproduce -- PRESET` does it for one.
 */
import { presets } from '../../../src/config/presets';
import { buildAndServe } from '../../helpers/site';
import { installedBrowsers } from './browsers';
import { inBrowser, node, type Engine, type Trained } from './trained';

const iterations = 3;

interface Row {
  readonly preset: string;
  readonly 'made in': string;
  readonly 'reproduced in': string;
  readonly digests: string;
  readonly 'the page says': string;
  readonly checkpoint: string;
}

/** @returns the exit code */
export async function run([preset]: readonly string[]): Promise<number> {
  const all = presets.map(({ name }) => name);
  const names = all.filter((name) => [undefined, name].includes(preset));
  if (names.length === 0) {
    console.error(`There is no preset called ${preset}; there is ${all.join(', ')}.`);
    return 2;
  }
  const site = await buildAndServe();
  const rows: Row[] = [];
  const engines = [node, ...installedBrowsers().map((browser) => inBrowser(browser, site))];
  try {
    for (const name of names) rows.push(...(await compared(name, engines)));
  } finally {
    site.close();
  }
  console.table(rows);
  if (engines.length < 3) console.log('A Chromium and a Firefox are needed for a whole comparison.');
  const equal = rows.every(({ digests, checkpoint }) => digests === alike(iterations) && checkpoint === 'equal bytes');
  const said = rows.every((row) => row['reproduced in'] === node.name || row['the page says'] === 'identical');
  return engines.length === 3 && equal && said ? 0 : 1;
}

async function compared(preset: string, engines: readonly Engine[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const maker of engines) {
    const made = await maker.train(`v=1&preset=${preset}&device=cpu&seed=1&steps=${iterations}`, 'one');
    for (const engine of engines) {
      if (engine === maker) continue;
      const again = await engine.train(made.link, 'all');
      rows.push({ preset, 'made in': maker.name, 'reproduced in': engine.name, ...difference(made, again) });
      console.log(Object.values(rows.at(-1)!).join(' | '));
    }
  }
  return rows;
}

function difference(made: Trained, again: Trained) {
  const same = made.fingerprint.filter((digest, i) => digest === again.fingerprint[i]).length;
  return {
    digests: alike(same),
    'the page says': again.verdict ?? '',
    checkpoint: made.checkpoint === again.checkpoint ? 'equal bytes' : 'other bytes',
  };
}

const alike = (same: number) => `${same} of ${iterations}`;
