/**
 * `npm run audit [-- --quick] [--only NAME,NAME]`: measures the built page against its limits and prints a table.
 * `--quick` watches the heap for one minute instead of ten. Exits with 1 if a value breaks its limit. Timings are of
 * this machine as it is, so let nothing else run. `AGENTLET_SHOTS=DIR` saves a picture of every state.
 */
import { parseArgs } from 'node:util';
import { buildAndServe } from '../../helpers/site';
import { accessibility } from './accessibility';
import { charts } from './charts';
import { crowd } from './crowd';
import { environments } from './environments';
import { files } from './files';
import { lighthouseScores } from './lighthouse';
import { keyboard } from './keyboard';
import { links } from './links';
import { loading } from './loading';
import { phone } from './phone';
import { atMost, measured, type Row } from './row';
import { rollouts } from './rollouts';
import { running } from './running';
import { runs } from './runs';
import { training } from './training';
import { offlineVisit } from './offline';
import { Visits } from './visit';

type Group = (visits: Visits) => Promise<Row[]>;

/** In this order: what needs an idle machine first. */
const groups = (heapMinutes: number): Readonly<Record<string, Group>> => ({
  loading,
  lighthouse: lighthouseScores,
  charts,
  rollouts,
  runs,
  crowd,
  training: (visits) => training(visits, heapMinutes),
  running,
  environments,
  files,
  offline: offlineVisit,
  links,
  phone,
  keyboard,
  accessibility,
});

const notMeasured: readonly (readonly [string, string])[] = [
  ['time to 80 % success on a laptop, and the first live point on a GPU', 'needs a GPU'],
  ['first token of the chat within 300 ms', 'needs a GPU'],
  ['a hidden tab keeps 80 % of its speed', 'headless browsers hide no tab'],
  ['the page in a frame of another site', 'frames are refused; tests/browser/isolation.test.ts'],
  ['no network, page or storage for the code of a tool', 'tests/browser/isolation.test.ts and attacks.full.test.ts'],
  ['another device matches the author to iteration k', 'needs a second device; npm run reproduce compares browsers'],
  ['a newcomer finds the way in five minutes', 'needs people'],
  ['a screen reader speaks it well', 'needs people'],
];

/** @returns the exit code */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const rows: Row[] = [];
  // The server that loads this program makes it development; parts of the page are built as a visitor gets them.
  process.env.NODE_ENV = 'production';
  const visits = new Visits(await buildAndServe());
  try {
    for (const [name, measure] of Object.entries(groups(values.quick ? 1 : 10))) {
      if (values.only && !values.only.split(',').includes(name)) continue;
      console.error(`${name} …`);
      rows.push(...(await measured(name, () => measure(visits))));
    }
    rows.push(atMost('requests to other origins', visits.leftOrigin.length, 0));
  } finally {
    await visits.close();
    visits.site.close();
  }
  print(rows, !values.only);
  return rows.every(({ passes }) => passes) ? 0 : 1;
}

function print(rows: readonly Row[], whole: boolean): void {
  const names = [...rows.map(({ name }) => name), ...notMeasured.map(([name]) => name)];
  const width = Math.max(...names.map((name) => name.length));
  for (const { name, value, limit, passes } of rows)
    console.log(`${name.padEnd(width)}  ${value.padStart(16)}  ${limit.padEnd(16)}  ${passes ? 'pass' : 'FAIL'}`);
  if (whole) for (const [name, why] of notMeasured) console.log(`${name.padEnd(width)}  not measured: ${why}`);
}
