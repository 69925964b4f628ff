/** axe in twelve states of the Lab and in more of the page, light and dark, on a desk and on a phone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runLink as linkOf } from '../../../src/config/run-link';
import { presetByName } from '../../../src/config/presets';
import { violationsOf } from '../../helpers/axe';
import { catchDevice, destroyDevice, limitStorage, setVisible } from '../../helpers/faults';
import { pageStates } from './page-states';
import { atMost, measured, type Row } from './row';
import {
  endless,
  narrow,
  patienceMs,
  press,
  runLink,
  train,
  untilReady,
  untilStatus,
  wide,
  type Visits,
} from './visit';

const shop = readFileSync(join(import.meta.dirname, '../../helpers/shop.js'), 'utf8');

/** How each state is reached. */
const states: Readonly<Record<string, (visits: Visits) => Promise<Page>>> = {
  worlds: (visits) => visits.open('#/'),
  'Lab, idle': async (visits) => {
    const page = await visits.open('#/lab');
    await untilReady(page);
    return page;
  },
  preparing: (visits) => trained(visits, runLink({ warm: 100_000, demos: 2000 }), /^Copying/),
  training: (visits) => trained(visits, endless, /^RL iteration/),
  paused: async (visits) => {
    const page = await trained(visits, endless, /^RL iteration/);
    await press(page, 'Pause');
    await untilStatus(page, /^Paused/);
    return page;
  },
  finished: (visits) => trained(visits, runLink(), /^Finished/),
  'environment error': async (visits) => {
    const page = await ownRun(visits, shop.replace('export function tasks', 'export function task'));
    await page.getByRole('alert').waitFor({ timeout: patienceMs });
    return page;
  },
  'tool timeout': async (visits) => {
    const page = await ownRun(visits, shop.replace('return String(prices[thing]);', 'for (;;);'));
    await untilStatus(page, /^Stopped|iteration [1-9]/);
    return page;
  },
  'GPU lost': async (visits) => {
    const page = await visits.open(endless.replace('device=cpu', 'device=gpu'));
    await untilReady(page);
    const worker = await catchDevice(page);
    await press(page, 'Train');
    for (let loss = 1; loss <= 3; loss++) {
      await untilStatus(page, /^RL iteration/);
      await destroyDevice(worker);
      await page.getByText(/The graphics device was lost|lost 3 times/).waitFor({ timeout: patienceMs });
      if (loss < 3) await press(page, 'Dismiss');
    }
    return page;
  },
  'no WebGPU': async (visits) => {
    const page = await visits.open('#/lab', { withoutGpu: true });
    await untilReady(page);
    return page;
  },
  'bad link': async (visits) => {
    const page = await visits.open('#/lab?v=1&preset=calculator&seed=7&x=ab$c');
    await page.getByText(/was probably cut or changed/).waitFor({ timeout: patienceMs });
    return page;
  },
  'storage full': async (visits) => {
    const page = await visits.open(endless);
    await untilReady(page);
    await limitStorage(page, 1);
    await train(page, /^RL iteration/);
    await setVisible(page, false);
    await page.getByText(/no space left to save the run/).waitFor({ timeout: patienceMs });
    return page;
  },
};

export async function accessibility(visits: Visits): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [state, reach] of Object.entries({ ...states, ...pageStates }))
    rows.push(...(await measured(`accessibility: ${state}`, async () => [await swept(state, await reach(visits))])));
  return rows;
}

async function swept(state: string, page: Page): Promise<Row> {
  const found: string[] = [];
  for (const size of [wide, narrow])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const shots = process.env.AGENTLET_SHOTS;
      for (const { id, nodes } of await violationsOf(page))
        found.push(`${colorScheme} ${size.width}: ${id} at ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
      if (shots)
        await page.screenshot({ path: join(shots, `${state}-${colorScheme}-${size.width}.png`.replaceAll(' ', '-')) });
    }
  await page.context().close();
  for (const each of found) console.error(`  ${state}, ${each}`);
  return atMost(`accessibility: ${state}`, found.length, 0);
}

async function trained(visits: Visits, hash: string, until: RegExp): Promise<Page> {
  const page = await visits.open(hash);
  await train(page, until);
  return page;
}

/** A run of this environment has begun, right or wrong. */
async function ownRun(visits: Visits, source: string): Promise<Page> {
  const { config } = presetByName('calculator-mini');
  const environment = { ...config.environment, name: 'mine', source, options: { shelves: 4 } };
  const own = { ...config, device: 'cpu' as const, rewards: { sold: 1, asked: 0 }, environment };
  const page = await visits.open(`#/lab?${await linkOf(own, null)}`);
  await untilReady(page);
  await press(page, 'Run it here');
  return page;
}
