/** Links: how long they are, and that none of them breaks the page. */
import { runLink as linkOf } from '../../src/rl/config/run-link';
import { presets } from '../../src/rl/config/presets';
import { Choices } from '../fuzz/random';
import { hostileLink } from '../fuzz/link-maker';
import { goldenLinks } from '../share/golden-links';
import { atMost, type Row } from './row';
import { untilReady, type Visits } from './visit';

const hostileCount = 200;

export async function links(visits: Visits): Promise<Row[]> {
  const lengths = await Promise.all(presets.map(async ({ config }) => (await linkOf(config, null)).length));
  const hostile = await Promise.all(Array.from({ length: hostileCount }, (_, seed) => hostileLink(new Choices(seed))));
  return [
    atMost('the longest link of a preset', Math.max(...lengths) + '#/lab?'.length, 200, ' characters'),
    atMost(`exceptions of ${hostileCount} fuzzed links`, await exceptions(visits, hostile), 0),
    atMost(`exceptions of ${goldenLinks.length} golden links`, await exceptions(visits, goldenLinks), 0),
  ];
}

/** Opens one after the other in one Lab. */
async function exceptions(visits: Visits, all: readonly string[]): Promise<number> {
  const before = visits.faults.length;
  const page = await visits.open('#/lab');
  await untilReady(page);
  for (const link of all) {
    await page.evaluate((query) => (location.hash = `/lab?${query}`), link.replace(/^.*#?\/?lab\?/, '').toWellFormed());
    await page.waitForTimeout(150);
  }
  await page.context().close();
  return visits.faults.length - before;
}
