/** What is read of a scene, and what a stranger's scene ends in. */
import { describe, expect, test } from 'vitest';
import { drawEpisode } from '../../src/agent/drawing';
import type { EnvironmentDescription } from '../../src/agent/env';
import { CallReader } from '../../src/agent/read-action';
import { readScene, sceneOf, sceneLimits } from '../../src/agent/scene';
import type { Json } from '../../src/agent/types';
import { compact } from '../../src/text/tool-formats/compact';
import { openLocal, request } from '../sandbox/open';

const circle = { kind: 'circle', x: 5, y: 5, radius: 2, role: 'agent' };
const scene = (shapes: Json, more: Record<string, Json> = {}): Json => ({ width: 100, height: 50, shapes, ...more });
const problemOf = (value: Json): string => {
  const read = sceneOf(value);
  if (!('problem' in read)) throw new Error('it was read');
  return read.problem;
};

test('a scene of every kind of shape is read as it is', () => {
  const shapes: Json = [
    circle,
    { kind: 'rectangle', id: 'box', x: 0, y: 0, width: 4, height: 4, radius: 1, fill: 'soft' },
    {
      kind: 'line',
      points: [
        [0, 0],
        [1, 1],
      ],
      dashed: true,
    },
    {
      kind: 'arrow',
      points: [
        [0, 0],
        [1, 1],
      ],
      role: 'goal',
    },
    { kind: 'text', x: 0, y: 0, text: '  if (<b>) &amp;', size: 9, align: 'middle', width: 40, lines: 2, bold: true },
    {
      kind: 'grid',
      x: 0,
      y: 0,
      rows: 2,
      columns: 2,
      cell: 8,
      cells: [{ row: 1, column: 0, role: 'danger', text: 'x' }],
    },
    { kind: 'table', x: 0, y: 0, width: 50, columns: ['a'], rows: [{ cells: ['1'], role: 'good' }] },
    { kind: 'code', x: 0, y: 0, width: 50, lines: [{ text: '  x = 1', role: 'danger' }] },
    { kind: 'node', id: 'a', x: 0, y: 0, width: 9, height: 9, text: 'a' },
    { kind: 'node', id: 'b', x: 20, y: 0, width: 9, height: 9, text: 'b', round: true },
    { kind: 'edge', from: 'a', to: 'b', text: 'to', directed: true },
  ];
  expect(sceneOf(scene(shapes, { words: 'Two nodes.' }))).toEqual({ value: scene(shapes, { words: 'Two nodes.' }) });
});

describe('a scene that is too much or not as described ends in a sentence', () => {
  test.each<[string, Json, RegExp]>([
    ['no object', 'circle', /at the top/],
    ['no shapes', { width: 10, height: 10 }, /at shapes/],
    ['an unknown kind', scene([{ kind: 'html', text: '<script>' }]), /shapes\.0\.kind/],
    ['a field of markup', scene([{ ...circle, onclick: 'alert(1)' }]), /shapes\.0\.onclick/],
    ['a colour', scene([{ ...circle, role: 'url(#x)' }]), /shapes\.0\.role/],
    ['a number that is none', scene([{ ...circle, x: null }]), /shapes\.0\.x/],
    ['a number as text', scene([{ ...circle, x: '5' }]), /shapes\.0\.x/],
    ['a number far away', scene([{ ...circle, x: 1e300 }]), /shapes\.0\.x/],
    ['a size of zero', { width: 0, height: 10, shapes: [] }, /at width/],
    ['a huge size', { width: 1e6, height: 10, shapes: [] }, /at width/],
    ['an id of markup', scene([{ ...circle, id: '"><script>' }]), /shapes\.0\.id/],
    ['an edge to nowhere', scene([{ kind: 'edge', from: 'a', to: 'b' }]), /edge between nodes/],
    ['an image that is none', scene([{ kind: 'image', x: 0, y: 0, width: 8, height: 8, image: 'data:x' }]), /an image/],
  ])('%s', (_, value, sentence) => expect(problemOf(value)).toMatch(sentence));

  test('too many shapes', () => {
    const shapes = Array.from({ length: sceneLimits.shapes }, () => circle);
    expect(sceneOf(scene(shapes))).toHaveProperty('value');
    expect(problemOf(scene([...shapes, circle]))).toMatch(/at shapes/);
  });

  test('too much text, too many cells, too many images', () => {
    const said = { kind: 'text', x: 0, y: 0, text: 'x'.repeat(500) };
    expect(problemOf(scene(Array.from({ length: 9 }, () => said)))).toMatch(
      /4500 characters of text; a scene may have 4096/,
    );
    const grid = { kind: 'grid', x: 0, y: 0, rows: 32, columns: 32, cell: 8 };
    expect(problemOf(scene([grid]))).toMatch(/1024 cells/);
    const pixels = new Array<number>(8 * 8 * 3).fill(0);
    const image = { kind: 'image', x: 0, y: 0, width: 8, height: 8, image: { width: 8, height: 8, pixels } };
    expect(sceneOf(scene([image]))).toHaveProperty('value');
    expect(problemOf(scene(Array.from({ length: 5 }, () => image)))).toMatch(/5 images/);
  });

  test('direction marks and controls are shown as what they are', () => {
    const read = sceneOf(scene([{ kind: 'text', x: 0, y: 0, text: 'a\u202eb\u0000' }]));
    expect('value' in read && read.value.shapes[0]).toMatchObject({ text: 'a\\u{202e}b\\x00' });
  });
});

test('each scene of an episode is told the steps before it, and the last one the end', async () => {
  const source = `
    import { tool, string } from 'agentlet';
    export const meta = { rewards: { done: { description: 'd', weight: 1 } } };
    export const tools = [tool({ name: 'say', description: 's', arguments: { text: string('t') },
      execute: ({ text }, { state }) => ({ text, state: (state ?? 0) + 1 }) })];
    export const tasks = () => ({ prompt: 'p' });
    export const reward = () => ({ success: true });
    export const draw = (task, state, { steps, answer, success }) =>
      ({ width: 9, height: 9, words: [state, steps.length, answer, success].join(), shapes: [] });`;
  const sandbox = await openLocal(source);
  const description = { rewards: { done: {} }, hooks: ['draw'], tools: [] } as unknown as EnvironmentDescription;
  const reader = new CallReader({ description, format: compact, observationLimit: 512 });
  const say = (text: string) => ({
    toolCalls: [{ name: 'say', arguments: { text }, result: text }],
    rewards: {},
  });
  const task = { id: '1', prompt: 'p', data: null };
  const chance = { seed: 1, place: 0 };
  const logged = { steps: [say('a'), say('b'), { toolCalls: [], rewards: { done: 1 } }], answer: 'c', success: true };
  const drawing = await drawEpisode({ description, sandbox, reader }, task, logged, chance);
  const words = 'scenes' in drawing ? drawing.scenes.map((scene) => scene.words) : drawing.problem;
  expect(words).toEqual([',0,,', '1,1,,', '2,2,,', '2,3,c,true']);
  const other = { ...logged, steps: [{ ...say('a'), toolCalls: [{ ...say('a').toolCalls[0], result: 'chance' }] }] };
  expect(await drawEpisode({ description, sandbox, reader }, task, other, chance)).toMatchObject({
    problem: expect.stringMatching(/by chance/) as string,
  });
});

describe('in the sandbox', () => {
  const world = (body: string) => `
    export const meta = { rewards: { done: { description: 'd', weight: 1 } } };
    export const tools = [];
    export const tasks = () => ({ prompt: 'p' });
    export const reward = () => ({ success: true });
    export function draw(task, state, moment) { ${body} }`;
  const drawn = async (body: string) => {
    const sandbox = await openLocal(world(body));
    const moment = { steps: [], answer: null, success: null, rewards: {} };
    const [verdict] = await sandbox.call([
      request('draw', { task: { id: '1', prompt: 'p', data: null }, state: 3, moment }),
    ]);
    return readScene(verdict);
  };

  test('draw gets task, state and moment', async () => {
    const read = await drawn(
      `return { width: state, height: 2, words: task.prompt + moment.steps.length, shapes: [] };`,
    );
    expect(read).toEqual({ value: { width: 3, height: 2, words: 'p0', shapes: [] } });
  });

  test.each([
    ['a getter that throws', `return { width: 9, height: 9, get shapes() { throw new Error('no'); } };`, /no/],
    ['NaN', `return { width: NaN, height: 9, shapes: [] };`, /not finite/],
    ['endless shapes', `const shapes = []; for (;;) shapes.push({});`, /stopped/],
    ['itself', `const s = { width: 9, height: 9, shapes: [] }; s.shapes.push(s); return s;`, /circular|cyclic/i],
    ['a promise', `return Promise.resolve({});`, /promise/],
    ['nothing', ``, /not JSON/],
    [
      'more than a result may have',
      `return { width: 9, height: 9, words: 'x'.repeat(70000), shapes: [] };`,
      /bytes of JSON/,
    ],
  ])('%s ends in a sentence', async (_, body, sentence) => {
    const read = await drawn(body);
    expect('problem' in read && read.problem).toMatch(sentence);
  });
});
