/** The files of a run: what they say, that nothing in them breaks out, and how large the replay may get. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sceneOf, type Scene } from '../../src/agent/scene';
import { modelCard } from '../../src/config/model-card';
import { presetByName } from '../../src/config/presets';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { curveSvg } from '../../src/share/curve-svg';
import type { ReplayData } from '../../src/presentation/replay/data';
import { replayPage } from '../../src/presentation/replay/page';
import { fileNameOf, rolloutLines, runJson, type ExportedRun } from '../../src/presentation/run-files';
import { ofKept, ofTabRun } from '../../src/ui/panels/export/exported-run';
import { imageOf } from '../../src/text/image';
import { metricsRow } from '../helpers/metrics-row';

const hostile = '</script><script>alert("x")</script><!-- \u2028 & "';

function rolloutOf(iteration: number, words: string): RolloutView {
  const step = {
    promptTokens: [],
    continues: false,
    tokens: [1],
    logProbs: [-1],
    entropies: [1],
    advantages: [1],
    lossMask: [1],
    text: words,
    messages: [{ role: 'user', content: words }],
    rewards: {},
    toolCalls: [{ name: 'calc', arguments: { a: words }, result: '4' }],
  };
  return {
    iteration,
    index: 0,
    group: 't',
    taskId: 't',
    prompt: words,
    reward: 1,
    advantage: 1,
    success: true,
    end: 'answer',
    steps: [step],
  } as unknown as RolloutView;
}

const run = (more: Partial<ExportedRun> = {}): ExportedRun => ({
  name: 'brave otter',
  title: 'Calculator',
  note: '',
  config: presetByName('calculator-mini').config,
  metrics: [metricsRow(1, { validationSuccess: 0.25, success: 0.2 }), metricsRow(2, { success: 0.5 })],
  rollouts: [rolloutOf(1, '2+2')],
  draw: async () => null,
  fingerprint: ['00ff00ff00ff00ff'],
  configChanges: [],
  adapter: 'CPU',
  engineVersion: '0.8.0',
  date: '2026-11-22T10:00:00.000Z',
  link: 'https://example.org/#/lab?v=1&seed=1',
  ...more,
});

const dataOf = (page: string): ReplayData =>
  JSON.parse(/<script type="application\/json" id="run">(.*?)<\/script>/s.exec(page)![1]) as ReplayData;

test('the card says first how to make the run again', () => {
  const [, head, body] = modelCard(run({ name: 'a "b": c' })).split('---\n');
  expect(head).toContain('- name: "a \\"b\\": c"');
  expect(head).toContain('value: 0.25');
  expect(body.trim().split('\n').slice(0, 3)).toEqual([
    '# a "b": c: Calculator',
    '',
    'Make this run again: open <https://example.org/#/lab?v=1&seed=1> and press Train.',
  ]);
  expect(body).toContain('2 of ');
});

test('the card of a run whose setup changed does not say that its link makes it again', () => {
  const card = modelCard(run({ configChanges: [1] }));
  expect(card).toContain('The setup of this run changed after iteration 1, so its setup alone does not make it again.');
  for (const untrue of ['Make this run again', 'the same bits', 'Fingerprint']) expect(card).not.toContain(untrue);
});

test('JSON has the setup and the metrics, the lines have the rollouts', () => {
  const { rollouts, draw: _draw, ...rest } = run();
  expect(JSON.parse(runJson(run()))).toEqual({ format: 'agentlet-run', version: 1, ...rest });
  expect(
    rolloutLines(run())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(rollouts);
  expect(fileNameOf(run({ name: 'Été, élan!' }))).toBe('ete-elan-2');
});

const { config } = presetByName('bandit');
const begun = { id: 'a', config, configChanges: [3] };
const tabRun = (more: object = {}) =>
  ({
    run: {
      started: { config, title: 'Bandit' },
      begun,
      metrics: run().metrics,
      rollouts: [],
      fingerprint: ['f'],
      ...more,
    },
    shown: { nameOf: () => 'agentlet-bandit-1' },
    shareAddress: async () => 'the address of the run',
    addressOf: async () => 'the address of the config',
  }) as unknown as Parameters<typeof ofTabRun>[0];
const keptRun = { id: 'a', name: 'High rate', note: 'Twice.', title: 'Bandit', config, adapter: 'CPU', savedAtMs: 0 };
type Api = NonNullable<Parameters<typeof ofTabRun>[1]>;
const apiOf = (...kept: object[]) =>
  ({ runs: async () => kept, runRecord: async () => ({ metrics: [], rollouts: [] }) }) as unknown as Api;
const catalog = { engineVersion: '9' } as Parameters<typeof ofTabRun>[2];

test('the run of this tab is exported under the name and the note that it was given', async () => {
  const named = await ofTabRun(tabRun(), apiOf({ ...keptRun, id: 'b' }, keptRun), catalog);
  expect(named).toMatchObject({ name: 'High rate', note: 'Twice.', adapter: 'CPU', engineVersion: '9' });
  expect(named).toMatchObject({ title: 'Bandit', configChanges: [3], link: 'the address of the run' });
  expect(named.date).toBe('1970-01-01T00:00:00.000Z');
  const unsaved = await ofTabRun(tabRun(), apiOf({ ...keptRun, id: 'b' }), catalog);
  expect(unsaved).toMatchObject({ name: 'agentlet-bandit-1', note: '', adapter: null });
});

test('without a trainer, a run or the catalog nothing can be exported', async () => {
  for (const [page, api, list] of [
    [tabRun(), null, catalog],
    [tabRun({ started: null }), apiOf(), catalog],
    [tabRun(), apiOf(), null],
  ] as const)
    await expect(ofTabRun(page, api, list)).rejects.toThrow('There is no iteration to export yet.');
  await expect(ofKept(tabRun(), null, keptRun as Parameters<typeof ofKept>[2])).rejects.toThrow('no iteration');
});

test('a kept run is exported with what is kept of it, and says what is not known', async () => {
  const kept = await ofKept(tabRun(), apiOf(), keptRun as Parameters<typeof ofKept>[2]);
  expect(kept).toMatchObject({ name: 'High rate', fingerprint: [], configChanges: [], engineVersion: 'unknown' });
  expect(kept).toMatchObject({ adapter: 'CPU', link: 'the address of the config', metrics: [] });
});

test('the picture has both curves and no markup of the name', () => {
  const svg = curveSvg(hostile, run().metrics, []);
  expect(svg).not.toContain('<script');
  expect(svg.match(/<path[^>]*stroke="#c25100"/g)).toHaveLength(2);
  expect(svg).toContain('<circle');
  expect(svg).not.toContain('Setup changed');
});

test('the replay says on which day, with which engine and seed the run was trained', async () => {
  const page = await replayPage(run());
  expect(page).toContain(`Trained on 2026-11-22 with engine 0.8.0, seed ${run().config.seed}.`);
  expect(page).toContain('max="2" value="2"');
});

test('a dashed line stands in picture and replay where the setup changed', async () => {
  const changed = run({ configChanges: [1] });
  const svg = curveSvg('a', changed.metrics, changed.configChanges);
  expect(svg, 'half-way between its two iterations').toContain('<path d="M380.0 56V316" stroke="#666"');
  expect(svg).toContain('>Setup changed<');
  expect(await replayPage(changed)).toContain('<path d="M380.0 56V316" stroke="#666"');
});

test('the replay holds its data whatever it says, and its policy allows its own script and style only', async () => {
  const page = await replayPage(run({ name: hostile, note: hostile, rollouts: [rolloutOf(1, hostile)] }));
  const asText = '&lt;/script&gt;&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&lt;!-- \u2028 &amp; &quot;';
  for (const place of ['<h1>', '</p><p>', '<b>user</b> <span>']) expect(page).toContain(place + asText);
  expect(page).not.toContain('<!--');
  expect(page.match(/<script/g)).toHaveLength(2);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)![1];
  const [, script] = /<script>(.*)<\/script>/s.exec(page)!;
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`default-src 'none'; script-src 'sha256-${hash}'; style-src 'sha256-`);
  expect(policy).not.toContain('unsafe');
  expect(script).not.toMatch(/\beval\b|innerHTML|fetch|https?:(?!\/\/www\.w3\.org)/);
});

test('a drawing in the replay is data: elements of its shapes alone, whatever its texts hold', async () => {
  const image = imageOf(8, 8, new Uint8Array(8 * 8 * 3));
  const scenes = ['before', hostile].map((words): Scene => {
    const given = sceneOf({
      width: 80,
      height: 40,
      words,
      shapes: [
        { kind: 'rectangle', x: 0, y: 0, width: 80, height: 40, role: 'goal', fill: 'soft' },
        { kind: 'text', x: 1, y: 1, text: words },
      ],
    });
    if ('problem' in given) throw new Error(given.problem);
    const picture = { kind: 'image', x: 0, y: 0, width: 8, height: 8, image } as const;
    return { ...given.value, shapes: [...given.value.shapes, picture] };
  });
  const page = await replayPage(run({ draw: async (rollouts) => rollouts.map(() => ({ scenes })) }));
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page).not.toContain('<!--');
  const { elements, drawings } = dataOf(page);
  expect(
    drawings[0].scenes.map(({ of }) => of),
    'what both scenes have is there once',
  ).toEqual([
    [0, 1, 2],
    [0, 3, 2],
  ]);
  expect(new Set(elements.map(({ tag }) => tag))).toEqual(new Set(['rect', 'text', 'image']));
  for (const { attributes } of elements)
    expect(Object.keys(attributes).join(' ')).not.toMatch(/(^| )(on|style|xlink|class|id)/);
  expect(elements[2].attributes.href).toMatch(/^data:image\/bmp;base64,/);
  expect(elements[3].text).toContain('</script>');
  expect(page, 'its colours are those of the theme').toContain('--scene-goal-soft:light-dark(#');
});

test('a replay whose world cannot be drawn any more has its rollouts', async () => {
  const page = await replayPage(run({ draw: () => Promise.reject(new Error('gone')) }));
  expect(dataOf(page).drawings).toEqual({});
  expect(page).toContain('2+2');
});

test('the replay of a long run is at most 1 MB', async () => {
  const metrics = Array.from({ length: 5000 }, (_, i) => metricsRow(i + 1, { success: Math.sin(i) ** 2 }));
  const rollouts = metrics.flatMap(({ iteration }) =>
    iteration % 10 === 0 ? Array.from({ length: 8 }, () => rolloutOf(iteration, 'word '.repeat(400))) : [],
  );
  const wide = (i: number): Scene => ({
    width: 100,
    height: 100,
    shapes: Array.from({ length: 50 }, (_, k) => ({ kind: 'circle', x: i, y: k, radius: Math.sin(i * k) ** 2 })),
  });
  const draw = async (all: readonly RolloutView[]) => all.map((_, i) => ({ scenes: [wide(i), wide(i + 0.5)] }));
  const page = await replayPage(run({ metrics, rollouts, draw }));
  expect(Object.keys(dataOf(page).drawings).length, 'some are drawn').toBeGreaterThan(10);
  expect(new TextEncoder().encode(page).length).toBeLessThan(1e6);
  const { points } = dataOf(page);
  const kept = [...page.matchAll(/<section data-at="(\d+)"/g)].map(([, iteration]) => Number(iteration));
  expect([points.length, points.at(-1)![0], kept.at(-1)]).toEqual([500, 5000, 5000]);
});

test('the card says of a title and a name what they are, whatever they hold', () => {
  const title =
    'X\n\n![](https://evil.example/p.png)\n\n## Results\nGreedy success 100 % \u202e<img src=x> www.evil.example';
  const card = modelCard(run({ name: `a](javascript:1) \`b\` | *c*`, title, adapter: '\n## Results\n[x](y)' }));
  expect(card.match(/^## Results$/gm)).toHaveLength(1);
  expect(card).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(|(?<!\\)<img|[\u202e\u0001]/);
  expect(card.split('---\n')[2], 'no address becomes a link').not.toMatch(/https?:\/\/evil|www\.evil/);
  const [heading] = card.split('---\n')[2].trim().split('\n');
  expect(heading).toMatch(
    /^# a\\\]\(javascript:1\) \\`b\\` \\\| \\\*c\\\*: X \\!\\\[\\\]\(https:\\\/\\\/evil\.example/,
  );
  const [, head] = modelCard(run({ name: 'a\u202e\u0085', title })).split('---\n');
  expect(head).not.toMatch(/[\u202e\u0085]/);
  expect(head).toContain('- name: "a??"');
  expect(modelCard(run({ note: '## My own\n**note**' })), 'the note is the visitor’s').toContain('## My own\n**note**');
});

test.each(['\u0001', '\ud800', '\u000b', '\ufffe', '\udfff', '\u202e', '\u0000'])(
  'the picture of a name with %j holds characters of XML only',
  (character) => {
    const svg = curveSvg(`a ${character}<b> & c`, run().metrics, []);
    expect(svg).toMatch(/>a \??&lt;b&gt; &amp; c<\/text>/);
    expect(svg.isWellFormed()).toBe(true);
    expect(svg).not.toMatch(/[^\t\n\x20-\ud7ff\ue000-\ufffd]/);
  },
);
