/** Compared runs as one HTML file: what it holds, and that nothing in it can act. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { comparedChart, metricsToChoose, type AxisName, type ComparedRun } from '../../src/presentation/compared-runs';
import { reportPage, type Report } from '../../src/presentation/report/report';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator-mini');
const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`;

const runOf = (i: number, name = `run ${i}`): ComparedRun => ({
  id: `${i}`,
  name,
  config: { ...config, seed: i },
  record: {
    metrics: [1, 2, 3, 4].map((at) => metricsRow(at, { success: (at * i) / 20, entropy: 3 / (at + i) })),
    rollouts: [],
  },
  configChanges: i === 2 ? [3] : [],
});

const chartOf = (runs: readonly ComparedRun[], key: string, axis: AxisName, grouping: 'runs' | 'seeds') =>
  comparedChart(
    runs,
    metricsToChoose.find((metric) => metric.key === key)!,
    axis,
    grouping,
  );

const report = (more: Partial<Report> = {}): Report => ({
  title: 'Rates',
  said: 'First.\n\nSecond,\nin two lines.',
  date: '2026-11-29T08:00:00.000Z',
  chart: chartOf([runOf(1), runOf(2)], 'success', 'step', 'runs'),
  runs: [1, 2].map((i) => ({
    name: `run ${i}`,
    what: `Calculator · GRPO · seed ${i}`,
    iteration: 4,
    line: { measure: i === 1 ? 'unseen' : 'practice', result: i / 4, points: [] },
    note: i === 1 ? 'a note' : '',
    link: i === 1 ? 'https://example.org/#/lab?v=1&seed=1' : null,
  })),
  differences: [{ path: 'seed', title: 'Seed', values: ['1', '2'] }],
  ...more,
});

const pathsOf = (html: string, stroke: string) =>
  [...html.matchAll(/<path d="([^"]*)" fill="none" stroke="([^"]*)"/g)].filter(([, , of]) => of === stroke);

test('holds the words, the curves, the runs and what differs', async () => {
  const html = await reportPage(report());
  expect(html).toContain('<h1>Rates</h1><p>First.</p><p>Second,<br>in two lines.</p><figure');
  const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
    row.replace(/<\/t[dh]>/g, '|').replace(/<[^>]*>/g, ''),
  );
  expect(rows).toEqual([
    'Run|World, algorithm, seed|Success|Iterations|Run it|Note|',
    'run 1|Calculator · GRPO · seed 1|25\u00a0% of unseen tasks|4|open|a note|',
    'run 2|Calculator · GRPO · seed 2|50\u00a0% in practice|4|–||',
    'Setting|run 1|run 2|',
    'Seed|1|2|',
  ]);
  expect(html).toContain('<a href="https://example.org/#/lab?v=1&amp;seed=1" rel="noreferrer">open</a>');
  expect([pathsOf(html, '#00727a').length, pathsOf(html, '#c25100').length]).toEqual([1, 1]);
  // Two lines of four points each, and one place where a setup changed.
  expect(pathsOf(html, '#c25100')[0][1].match(/[ML]/g)).toHaveLength(4);
  expect(html.match(/stroke-dasharray="5 4"/g)).toHaveLength(2);
});

test('draws seeds as one line in a band, over any axis, and metrics without a fixed range', async () => {
  const html = await reportPage(report({ chart: chartOf([runOf(1), runOf(3)], 'entropy', 'tokens', 'seeds') }));
  expect(html.match(/fill-opacity="0.15"/g)).toHaveLength(1);
  const heights = [...html.matchAll(/L[\d.]+ ([\d.]+)/g)].map(([, y]) => Number(y));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(56);
  expect(Math.max(...heights)).toBeLessThanOrEqual(360 - 44);
  expect(html).toContain('>tokens</text>');
});

test('a metric that was never measured, and words that are missing, leave a whole file', async () => {
  const chart = chartOf([runOf(1)], 'validation', 'step', 'runs');
  const runs = report().runs.slice(1);
  const html = await reportPage(report({ title: ' ', said: '\n \n', chart, runs, differences: [] }));
  expect(html).toMatch(/<h1>Report<\/h1><figure.*<\/html>\n$/s);
  expect(html).not.toMatch(/NaN|Infinity|undefined|What differs|Note/);
});

test('nothing that was written can act: no script may run, and no text is markup', async () => {
  const runs = report().runs.map((run) => ({
    ...run,
    name: hostile,
    what: hostile,
    note: hostile,
    link: hostile,
  }));
  const chart = chartOf([runOf(1, hostile), runOf(2, hostile)], 'success', 'step', 'runs');
  const differences = [{ path: hostile, title: hostile, values: [hostile, hostile] }];
  const html = await reportPage({ ...report(), title: hostile, said: hostile, chart, runs, differences });
  expect(html).toContain(`default-src 'none'; script-src 'none';`);
  expect(html).not.toMatch(/<script|<img/);
  // What turns the direction of a line is shown as a question mark.
  const turned = [{ ...report().runs[0], name: 'run\u202etxt' }];
  expect(await reportPage(report({ runs: turned, differences: [] }))).toContain('<td>run?txt</td>');
  // In a value, a quotation mark would end it.
  expect(html).not.toMatch(/href="">/);
});
