/** Scenes as marks and as SVG text: what fits is known, markup stays text, and colours are those of the page. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sceneRoles, type Scene } from '../../../src/agent/scene';
import { marksOf, textBox, wordsOf } from '../../../src/share/scenes/marks';
import { sceneColours, sceneSvg } from '../../../src/share/scenes/svg';
import { cut, linesOf } from '../../../src/share/scenes/text-fit';
import { imageUrl } from '../../../src/share/scenes/image-url';
import { imageOf } from '../../../src/text/image';

const scene = (...shapes: Scene['shapes']): Scene => ({ width: 100, height: 60, shapes });

test('a text is cut to its width, by characters', () => {
  expect(cut('abcdef', 6 * 10 * 0.62, 10)).toBe('abcdef');
  expect(cut('abcdef', 5 * 10 * 0.62, 10)).toBe('abcd…');
  expect(cut('😀😀😀', 2 * 10 * 0.62, 10)).toBe('😀…');
  expect(cut('abc', 0, 10)).toBe('');
  expect(linesOf('one two three', { width: 7 * 6.2, size: 10, lines: 3 })).toEqual(['one two', 'three']);
  expect(linesOf('one two three', { width: 7 * 6.2, size: 10, lines: 1 })).toEqual(['one tw…']);
});

test('texts of nodes, cells and tables stay in their boxes', () => {
  const long = 'a very long text that fits nowhere';
  const marks = marksOf(
    scene(
      { kind: 'node', id: 'n', x: 10, y: 10, width: 40, height: 20, text: long },
      { kind: 'grid', x: 0, y: 0, rows: 1, columns: 1, cell: 30, cells: [{ row: 0, column: 0, text: long }] },
      { kind: 'table', x: 0, y: 0, width: 60, columns: [long], rows: [{ cells: [long] }] },
    ),
  );
  const texts = marks.filter((mark) => mark.kind === 'text');
  expect(texts.length).toBeGreaterThanOrEqual(4);
  for (const box of texts.map(textBox)) {
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(60);
  }
});

test('a scene without shapes shows its words, so that no frame is empty', () => {
  expect(marksOf({ ...scene(), words: 'Next guess' })).toMatchObject([
    { kind: 'text', text: 'Next guess', x: 50, anchor: 'middle', fill: 'muted' },
  ]);
  expect(marksOf(scene())).toEqual([]);
});

test('edges lie under nodes, end at their borders, and names stay the same from scene to scene', () => {
  const node = { kind: 'node', y: 0, width: 20, height: 20, text: 'x' } as const;
  const drawn = scene(
    { ...node, id: 'a', x: 0 },
    { ...node, id: 'b', x: 60 },
    { kind: 'edge', from: 'a', to: 'b', directed: true },
  );
  const [line] = marksOf(drawn);
  expect(line).toMatchObject({ kind: 'path', d: 'M20 10L60 10' });
  const keys = marksOf(drawn).map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toContain('a/0');
});

test('markup in a text stays text in the file', () => {
  const said = '<script>alert("1")</script> & more';
  const svg = sceneSvg({ ...scene({ kind: 'text', x: 0, y: 0, text: said }), words: said });
  expect(svg).not.toContain('<script');
  expect(svg).toContain('&lt;script&gt;alert("1")&lt;/script&gt; &amp; more');
});

test('a scene without words is described by its texts', () => {
  expect(wordsOf(scene({ kind: 'text', x: 0, y: 0, text: 'here' }))).toBe('here');
});

test('an image is a bitmap: blue, green, red, from the top', () => {
  const pixels = new Uint8Array(8 * 8 * 3);
  pixels.set([1, 2, 3]);
  const bytes = Buffer.from(imageUrl(imageOf(8, 8, pixels)).split(',')[1], 'base64');
  expect(bytes.subarray(0, 2).toString()).toBe('BM');
  expect(bytes.readInt32LE(22)).toBe(-8);
  expect([...bytes.subarray(54, 57)]).toEqual([3, 2, 1]);
});

test('colours of files are those of the page, in both themes', () => {
  const theme = readFileSync('src/ui/base/styles/theme.css', 'utf8');
  const valueOf = (name: string): string => new RegExp(`${name}: ([^;]+);`).exec(theme)![1];
  for (const role of [...sceneRoles, 'ground', 'hairline', 'on-solid'] as const) {
    const given = valueOf(`--scene-${role}`);
    const token = /^var\((--[\w-]+)\)$/.exec(given)?.[1];
    const [light, dark] = sceneColours[role];
    expect(token === undefined ? given : valueOf(token)).toBe(`light-dark(${light}, ${dark})`);
  }
});
