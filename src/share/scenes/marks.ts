/**
 * A scene as marks: rectangles, circles, lines and texts with a place and a paint, in the order in which they are
 * drawn. Whoever draws them, as elements of the page or as a file, draws the same.
 */
import type { Scene, SceneRole, SceneShape } from '../../agent/scene';
import type { Image } from '../../text/image';
import { advance, cut, linesOf } from './text-fit';

/** A colour of a role, its faint ground, or the colour that is read on it. */
export type Paint = SceneRole | `${SceneRole}-soft` | 'on-solid' | 'ground' | 'hairline' | 'none';

interface Kept {
  /** Names the thing across scenes. */
  readonly key: string;
}
interface Painted extends Kept {
  readonly fill: Paint;
  readonly stroke: Paint;
}
export type Mark =
  | (Painted & {
      readonly kind: 'rectangle';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
    })
  | (Painted & { readonly kind: 'circle'; readonly x: number; readonly y: number; readonly radius: number })
  | (Painted & { readonly kind: 'path'; readonly d: string; readonly dashed: boolean })
  | (Kept & {
      readonly kind: 'text';
      /** Of its baseline. */
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly anchor: 'start' | 'middle' | 'end';
      readonly bold: boolean;
      readonly fill: Paint;
    })
  | (Kept & {
      readonly kind: 'image';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly image: Image;
    });

type Shape<Kind extends SceneShape['kind']> = Extract<SceneShape, { readonly kind: Kind }>;
type Draft = Mark extends infer Each ? (Each extends Mark ? Omit<Each, 'key'> : never) : never;
type Fill = 'solid' | 'soft' | 'outline';

/** Of a text that says no other. */
const usualSize = 12;
/** From the top of a line to its baseline, and from line to line, in sizes of the text. */
const [ascent, leading] = [0.8, 1.35];

/** Marks of a scene; those of shapes without a name are named by their place. One without shapes shows its words. */
export function marksOf({ shapes, words = '', width, height }: Scene): Mark[] {
  if (shapes.length === 0) {
    const drafts = centred({ x: 0, y: 0, width, height }, words, { size: usualSize, fill: 'muted' });
    return drafts.map((draft): Mark => ({ ...draft, key: 'words' }));
  }
  const nodes = new Map(shapes.flatMap((shape) => (shape.kind === 'node' ? [[shape.id, shape] as const] : [])));
  // Edges lie under the nodes that they join.
  const order = [...shapes.filter(({ kind }) => kind === 'edge'), ...shapes.filter(({ kind }) => kind !== 'edge')];
  const used = new Set<string>();
  return order.flatMap((shape, i) => {
    const wanted = shape.id ?? `${shape.kind} ${i}`;
    const name = used.has(wanted) ? `${wanted} ${i}` : wanted;
    used.add(name);
    return draftsOf(shape, nodes).map((draft, part): Mark => ({ ...draft, key: `${name}/${part}` }));
  });
}

function draftsOf(shape: SceneShape, nodes: ReadonlyMap<string, Shape<'node'>>): Draft[] {
  switch (shape.kind) {
    case 'rectangle':
      return [rectangle(shape, paints(shape.role, shape.fill), shape.radius)];
    case 'circle': {
      const { x, y, radius } = shape;
      return [{ kind: 'circle', x, y, radius, ...paints(shape.role, shape.fill) }];
    }
    case 'line':
    case 'arrow':
      return lineOf(shape);
    case 'text':
      return textLines(shape);
    case 'grid':
      return gridOf(shape);
    case 'table':
      return tableOf(shape);
    case 'code':
      return codeOf(shape);
    case 'node':
      return nodeOf(shape);
    case 'edge':
      return edgeOf(shape, nodes.get(shape.from), nodes.get(shape.to));
    case 'image': {
      const { x, y, width, height, image } = shape;
      return [{ kind: 'image', x, y, width, height, image }];
    }
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const paints = (role: SceneRole = 'ink', fill: Fill = 'solid'): { fill: Paint; stroke: Paint } =>
  fill === 'solid' ? { fill: role, stroke: 'none' } : { fill: fill === 'soft' ? `${role}-soft` : 'none', stroke: role };

const rectangle = ({ x, y, width, height }: Box, paint: { fill: Paint; stroke: Paint }, radius = 0): Draft => ({
  kind: 'rectangle',
  x,
  y,
  width,
  height,
  radius,
  ...paint,
});

interface Written {
  readonly text: string;
  readonly size: number;
  readonly fill: Paint;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly bold?: boolean;
}

/** A text on one line, by its baseline. */
const written = (x: number, y: number, { anchor = 'start', bold = false, ...more }: Written): Draft => ({
  kind: 'text',
  x,
  y,
  anchor,
  bold,
  ...more,
});

/** A text in the middle of a box, cut to it. */
function centred({ x, y, width, height }: Box, text: string, { size, fill }: Pick<Written, 'size' | 'fill'>): Draft[] {
  const shown = cut(text, width, size);
  if (shown === '') return [];
  return [written(x + width / 2, y + height / 2 + size * 0.35, { text: shown, size, fill, anchor: 'middle' })];
}

function textLines({
  x,
  y,
  text,
  role = 'ink',
  size = usualSize,
  align,
  bold,
  width,
  lines = 1,
}: Shape<'text'>): Draft[] {
  return linesOf(text, { width: width ?? Infinity, size, lines }).map((line, i) =>
    written(x, y + size * (ascent + leading * i), { text: line, size, fill: role, anchor: align, bold }),
  );
}

function gridOf({ x, y, rows, columns, cell, cells = [], role = 'muted' }: Shape<'grid'>): Draft[] {
  const inside = cells.filter(({ row, column }) => row < rows && column < columns);
  const boxOf = (row: number, column: number) => ({
    x: x + column * cell,
    y: y + row * cell,
    width: cell,
    height: cell,
  });
  const [right, bottom] = [x + columns * cell, y + rows * cell];
  const rules = [
    ...Array.from({ length: columns + 1 }, (_, i) => `M${x + i * cell} ${y}V${bottom}`),
    ...Array.from({ length: rows + 1 }, (_, i) => `M${x} ${y + i * cell}H${right}`),
  ];
  return [
    rectangle({ x, y, width: columns * cell, height: rows * cell }, { fill: 'ground', stroke: 'none' }),
    ...inside.map(({ row, column, role: own = 'ink', fill = 'soft' }) =>
      rectangle(boxOf(row, column), { ...paints(own, fill), stroke: 'none' }),
    ),
    { kind: 'path', d: rules.join(''), dashed: false, fill: 'none', stroke: role === 'muted' ? 'hairline' : role },
    ...inside.flatMap(({ row, column, role: own = 'ink', fill = 'soft', text = '' }) =>
      centred(boxOf(row, column), text, { size: cell * 0.4, fill: fill === 'solid' ? 'on-solid' : own }),
    ),
  ];
}

function tableOf({ x, y, width, columns, rows, size = usualSize, role = 'ink' }: Shape<'table'>): Draft[] {
  const height = size * 1.6;
  const widths = columnWidths(
    columns,
    rows.map(({ cells }) => cells),
    width,
  );
  const starts = widths.map((_, i) => x + widths.slice(0, i).reduce((sum, each) => sum + each, 0));
  const line = (cells: readonly string[], top: number, fill: Paint, bold = false) =>
    cells.slice(0, columns.length).flatMap((text, i) => {
      const shown = cut(text, widths[i] - size * 0.6, size);
      const at = top + height / 2 + size * 0.35;
      return shown === '' ? [] : [written(starts[i] + size * 0.3, at, { text: shown, size, fill, bold })];
    });
  return [
    ...line(columns, y, role, true),
    { kind: 'path', d: `M${x} ${y + height}H${x + width}`, dashed: false, fill: 'none', stroke: 'hairline' },
    ...rows.flatMap(({ cells, role: own, fill = 'soft' }, i) => {
      const top = y + height * (i + 1);
      const ground =
        own === undefined ? [] : [rectangle({ x, y: top, width, height }, { ...paints(own, fill), stroke: 'none' }, 2)];
      return [...ground, ...line(cells, top, own !== undefined && fill === 'solid' ? 'on-solid' : (own ?? 'ink'))];
    }),
  ];
}

/** Shares of the width by the longest text of each column. */
function columnWidths(columns: readonly string[], rows: readonly (readonly string[])[], width: number): number[] {
  const longest = columns.map((name, i) => Math.max(name.length, 2, ...rows.map((cells) => cells[i]?.length ?? 0)) + 1);
  const all = longest.reduce((sum, each) => sum + each, 0);
  return longest.map((each) => (width * each) / all);
}

function codeOf({ x, y, width, lines, size = usualSize, role = 'ink' }: Shape<'code'>): Draft[] {
  const height = size * 1.45;
  return lines.flatMap(({ text, role: own }, i) => {
    const top = y + height * i;
    const ground =
      own === undefined ? [] : [rectangle({ x, y: top, width, height }, { fill: `${own}-soft`, stroke: 'none' }, 2)];
    const shown = cut(text, width - size * 0.6, size);
    const words = written(x + size * 0.3, top + height / 2 + size * 0.35, { text: shown, size, fill: own ?? role });
    return shown.trim() === '' ? ground : [...ground, words];
  });
}

function nodeOf({ text, role, fill = 'soft', round, size = usualSize, ...box }: Shape<'node'>): Draft[] {
  const radius = round === true ? box.height / 2 : Math.min(5, box.height / 2);
  const paint: Paint = fill === 'solid' ? 'on-solid' : (role ?? 'ink');
  return [
    rectangle(box, paints(role, fill), radius),
    ...centred({ ...box, x: box.x + 2, width: Math.max(0, box.width - 4) }, text, { size, fill: paint }),
  ];
}

function lineOf({ kind, role = 'ink', points, dashed = false }: Shape<'line' | 'arrow'>): Draft[] {
  const d = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const line: Draft = { kind: 'path', d, dashed, fill: 'none', stroke: role };
  return kind === 'line' ? [line] : [line, headOf(points.at(-2)!, points.at(-1)!, role)];
}

type Point = readonly [number, number];

/** The head of an arrow. */
function headOf([fromX, fromY]: Point, [x, y]: Point, role: Paint): Draft {
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [alongX, alongY] = [(6 * (x - fromX)) / length, (6 * (y - fromY)) / length];
  const [baseX, baseY] = [x - alongX, y - alongY];
  const corners = [
    [x, y],
    [baseX - alongY / 2, baseY + alongX / 2],
    [baseX + alongY / 2, baseY - alongX / 2],
  ].map(([cornerX, cornerY]) => `${rounded(cornerX)} ${rounded(cornerY)}`);
  return { kind: 'path', d: `M${corners.join('L')}Z`, dashed: false, fill: role, stroke: 'none' };
}

function edgeOf(
  { role = 'muted', text = '', directed, dashed }: Shape<'edge'>,
  from: Shape<'node'> | undefined,
  to: Shape<'node'> | undefined,
): Draft[] {
  if (!from || !to) return [];
  const [start, end] = [border(from, middle(to)), border(to, middle(from))];
  const size = usualSize * 0.8;
  const shown = cut(text, Math.max(Math.abs(end[0] - start[0]), 60), size);
  const label = { text: shown, size, fill: role, anchor: 'middle' } as const;
  const at: Point = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2 - 3];
  return [
    ...lineOf({ kind: directed === true ? 'arrow' : 'line', role, points: [start, end], dashed }),
    ...(shown === '' ? [] : [written(rounded(at[0]), rounded(at[1]), label)]),
  ];
}

const middle = ({ x, y, width, height }: Box): Point => [x + width / 2, y + height / 2];

/** Where the way from a box's middle to a point leaves the box. */
function border(box: Box, [toX, toY]: Point): [number, number] {
  const [x, y] = middle(box);
  const [acrossX, acrossY] = [toX - x, toY - y];
  const reach = Math.max(
    (2 * Math.abs(acrossX)) / Math.max(box.width, 1),
    (2 * Math.abs(acrossY)) / Math.max(box.height, 1),
  );
  const share = reach > 1 ? 1 / reach : 0;
  return [rounded(x + acrossX * share), rounded(y + acrossY * share)];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** What a scene shows, in words. */
export function wordsOf(scene: Scene): string {
  if (scene.words !== undefined) return scene.words;
  const texts = marksOf(scene).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
  return texts.join(', ');
}

/** The box of a text on the scene. */
export function textBox({ x, y, text, size, anchor }: Extract<Mark, { kind: 'text' }>): Box {
  const width = [...text].length * size * advance;
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  return { x: left, y: y - size * ascent, width, height: size };
}
