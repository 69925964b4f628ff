/** Links: how long they are, that those of released versions are read, and that none of them breaks the page. */
import { presetByName, presets } from '../../../src/config/presets';
import { openRunLink, runLink as linkOf } from '../../../src/config/run-link';
import { Choices } from '../../fuzz/random';
import { hostileLink } from '../../fuzz/link-maker';
import { goldenLinks } from '../../share/golden-links';
import { maxPoints } from '../../../src/share/blob';
import { atMost, mustBe, unlimited, type Row } from './row';
import { untilReady, type Visits } from './visit';

const hostileCount = 200;
const { config } = presetByName('calculator');
/** Validations of a run of the preset. */
const usual = Math.ceil(config.iterations / config.evaluation.every) + 1;

export async function links(visits: Visits): Promise<Row[]> {
  const lengths = await Promise.all(presets.map(async ({ config }) => (await linkOf(config, null)).length));
  const hostile = await Promise.all(Array.from({ length: hostileCount }, (_, seed) => hostileLink(new Choices(seed))));
  const opened = await Promise.all(goldenLinks.map((link) => openRunLink(link)));
  const read = opened.filter(({ problem }) => problem === null).length;
  return [
    atMost('the longest link of a preset', Math.max(...lengths) + '#/lab?'.length, 200, ' characters'),
    atMost('link of an environment with 3 tools and a preset’s curve', await ownLength(usual), 1400, ' characters'),
    unlimited('the same with the longest curve', await ownLength(maxPoints), ' characters'),
    mustBe(
      'links of released versions that are read',
      `${read} of ${goldenLinks.length}`,
      `${goldenLinks.length} of ${goldenLinks.length}`,
    ),
    atMost(`exceptions of ${hostileCount} fuzzed links`, await exceptions(visits, hostile), 0),
    atMost(`exceptions of ${goldenLinks.length} golden links`, await exceptions(visits, goldenLinks), 0),
  ];
}

/** An environment of three tools as somebody writes it by hand, and a run with so many validations. */
async function ownLength(validations: number): Promise<number> {
  const environment = { ...config.environment, name: 'mine', source: threeTools, options: {} };
  const own = { ...config, rewards: { sold: 1 }, environment };
  const validation = Array.from({ length: validations }, (_, i) => ({
    iteration: 8 * i + 1,
    success: ((i * 29) % 257) / 256,
  }));
  const run = { validation, fingerprint: ['0123456789abcdef'], adapter: 'CPU', device: 'cpu' as const };
  return (await linkOf(own, run)).length + '#/lab?'.length;
}

const threeTools = `import { string, tool, ToolError } from 'agentlet';

const prices = { apple: 3, bread: 5, cheese: 8, dates: 2 };
const stock = { apple: 12, bread: 0, cheese: 4, dates: 31 };
const goods = Object.keys(prices);

export const meta = {
  title: 'Corner shop',
  task: 'Say what a basket costs.',
  watch: 'It asks for the price before it answers.',
  rewards: {
    sold: { description: 'The price is right.', weight: 1 },
  },
  options: [],
  alphabet: [...new Set('0123456789 ?*' + goods.join('') + 'unknown none left')].sort().join(''),
  examples: ['2 apple?', '7 dates?'],
};

const of = (table, thing) => {
  if (!Object.hasOwn(table, thing)) throw new ToolError('unknown');
  return String(table[thing]);
};

export const tools = [
  tool({
    name: 'price',
    description: 'The price of a thing.',
    arguments: { thing: string('One thing') },
    execute: ({ thing }) => of(prices, thing),
  }),
  tool({
    name: 'stock',
    description: 'How many there are.',
    arguments: { thing: string('One thing') },
    execute: ({ thing }) => of(stock, thing),
  }),
  tool({
    name: 'times',
    description: 'Multiplies.',
    arguments: { product: string('Two numbers, like 3*4') },
    execute: ({ product }) => String(product.split('*').reduce((a, b) => a * Number(b), 1)),
  }),
];

export function tasks(rng) {
  const [thing, count] = [rng.pick(goods), rng.integer(2, 9)];
  return { prompt: count + ' ' + thing + '?', data: { thing, count } };
}

const right = ({ thing, count }) => (stock[thing] < count ? 'none left' : String(count * prices[thing]));

export function reward({ task, answer }) {
  const success = answer === right(task.data);
  return { success, sold: Number(success) };
}

export function demonstrate({ data }) {
  return [{ calls: [{ name: 'price', arguments: { thing: data.thing } }] }, { answer: right(data) }];
}
`;

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
