/** Rows in a config and in a link: carried while they are small, named by their digest where they are large. */
import { expect, test } from 'vitest';
import { rowsDigest } from '../../src/agent/rows';
import { parseConfig, type RunConfig } from '../../src/config/config';
import { maxCarriedBytes, missingRows, withoutLargeRows, withRows } from '../../src/config/rows';
import { openRunLink, runLink } from '../../src/config/run-link';
import { planRun } from '../../src/rl/memory';
import { packBlob, type LinkBlob } from '../../src/share/blob';
import { maxLinkCharacters } from '../../src/share/link';
import { ownConfig } from '../environments/own';
import { rowsModule, rowsText } from '../environments/rows-module';

const plain = ownConfig(rowsModule);
const having = (rows: string): Promise<RunConfig> => withRows(plain, rows);
/** Text that does not get shorter when it is packed. */
const noise = (length: number): string => {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 16;
  return Array.from({ length }, () => String.fromCharCode(33 + (next() % 90))).join('');
};

test('small rows are carried as they are', async () => {
  const config = await having(rowsText(60));
  expect(await withoutLargeRows(config)).toBe(config);
  expect(missingRows(config)).toBeNull();
  const link = await runLink(config, null);
  const opened = await openRunLink(link);
  expect(opened).toMatchObject({ config, problem: null, notices: [] });
  expect(opened.config).toEqual(config);
  expect(await runLink(opened.config, null)).toBe(link);
});

test('large rows are named, and given back by their file alone', async () => {
  const rows = rowsText(400, 'x'.repeat(100));
  expect(rows.length).toBeGreaterThan(maxCarriedBytes);
  const config = await having(rows);
  const saved = await withoutLargeRows(config);
  expect(saved.environment).toEqual({ ...plain.environment, rowsDigest: await rowsDigest(rows) });
  expect(parseConfig(JSON.parse(JSON.stringify(saved)))).toEqual(saved);
  const { config: opened } = await openRunLink(await runLink(config, null));
  expect(opened).toEqual(saved);
  expect(missingRows(opened)).toMatch(/made from a file of 400 rows \(SHA-256 [0-9a-f]{64}\)/);
  expect(planRun(opened, null, { bindingBytes: Infinity, memoryBytes: Infinity }).problems).toEqual([
    missingRows(opened),
  ]);
  expect(await withRows(opened, rows)).toEqual(config);
  await expect(withRows(opened, `${rows}1`, 'b.jsonl')).rejects.toThrow(
    /made with 400 rows .*, and b\.jsonl are 401 rows/,
  );
});

test('small rows that would make a link too long are named by it', async () => {
  const rows = `${JSON.stringify({ q: noise(30_000), a: '1' })}\n`;
  const source = `// ${noise(40_000)}\n${rowsModule}`;
  const config = await withRows(ownConfig(source), rows);
  expect((await withoutLargeRows(config)).environment.rows).toBe(rows);
  const link = await runLink(config, null);
  expect(link.length).toBeLessThanOrEqual(maxLinkCharacters);
  expect((await openRunLink(link)).config.environment).toEqual({
    ...config.environment,
    rows: undefined,
    rowsDigest: await rowsDigest(rows),
  });
});

test.each<[string, Partial<LinkBlob>]>([
  ['rows and a digest', { rows: '1', rowsDigest: `1-${'0'.repeat(64)}` }],
  ['too many rows', { rows: '1\n'.repeat(maxCarriedBytes) }],
  ['a digest that is none', { rowsDigest: `1-${'0'.repeat(63)}` }],
  ['a number of rows that is none', { rowsDigest: `01-${'0'.repeat(64)}` }],
])('a link with %s cannot be used', async (_, blob) => {
  const { problem } = await openRunLink(
    `v=1&preset=calculator&env=own&x=${await packBlob({ source: rowsModule, ...blob })}`,
  );
  expect(problem).toMatch(/^Its packed part cannot be used: its (content|rows|rowsDigest) is not what it should be\.$/);
});

test('a config has rows or their digest', () => {
  const environment = { ...plain.environment, rows: '1', rowsDigest: `1-${'0'.repeat(64)}` };
  expect(() => parseConfig({ ...plain, environment })).toThrow(
    /environment\.rowsDigest: it names rows that are not here/,
  );
});
