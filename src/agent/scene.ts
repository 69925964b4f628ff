/**
 * What an environment's `draw` may answer: a scene, which is data and no markup. Whoever wrote it may be a stranger, so
 * its kinds of shapes, its colours, its numbers and its texts are bounded. A bad scene is a sentence.
 */
import * as v from 'valibot';
import { escaped, plainText } from '../lib/plain-text';
import { imageOf, type Image } from '../text/image';
import type { Verdict } from './sandbox';
import { readImage, readVerdict, type Reading } from './tool-results';
import type { Json } from './types';

/** Colours by what a thing is: a page chooses them, so that they fit its theme and colour-blind readers. */
export const sceneRoles = ['ink', 'muted', 'agent', 'goal', 'danger', 'object', 'good', 'note'] as const;
export type SceneRole = (typeof sceneRoles)[number];

export const sceneLimits = {
  shapes: 500,
  /** Characters of all its texts. */
  text: 4096,
  /** Cells of all its grids and tables. */
  cells: 1000,
  /** Width and height. */
  side: 2000,
  images: 4,
} as const;

const farthest = 10_000;
const number = v.pipe(v.number(), v.finite(), v.minValue(-farthest), v.maxValue(farthest));
const length = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(farthest));
const count = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const size = v.pipe(v.number(), v.finite(), v.minValue(2), v.maxValue(200));
const role = v.optional(v.picklist(sceneRoles));
/** `solid` is filled, `soft` is filled faintly with a border, `outline` has a border alone. */
const fill = v.optional(v.picklist(['solid', 'soft', 'outline']));
const text = v.pipe(
  v.string(),
  v.maxLength(500),
  // Blanks stay: the indentation of code is made of them.
  v.transform((written) => escaped(written).slice(0, 500)),
);
/** The same name in the next scene is the same thing, which moves there. */
const id = v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/, 'a name has 1 to 64 of A-Z a-z 0-9 _ . : -')));
const point = v.tuple([number, number]);
const place = { id, role, x: number, y: number };

const shapeSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('rectangle'),
    ...place,
    width: length,
    height: length,
    radius: v.optional(length),
    fill,
  }),
  v.strictObject({ kind: v.literal('circle'), ...place, radius: length, fill }),
  v.strictObject({
    kind: v.literal('line'),
    id,
    role,
    points: v.pipe(v.array(point), v.minLength(2), v.maxLength(64)),
    dashed: v.optional(v.boolean()),
  }),
  v.strictObject({
    kind: v.literal('arrow'),
    id,
    role,
    points: v.pipe(v.array(point), v.minLength(2), v.maxLength(64)),
    dashed: v.optional(v.boolean()),
  }),
  v.strictObject({
    kind: v.literal('text'),
    ...place,
    text,
    size: v.optional(size),
    align: v.optional(v.picklist(['start', 'middle', 'end'])),
    bold: v.optional(v.boolean()),
    /** What does not fit is cut; with more lines it goes on in the next one. */
    width: v.optional(length),
    lines: v.optional(count(1, 20)),
  }),
  v.strictObject({
    kind: v.literal('grid'),
    ...place,
    rows: count(1, 32),
    columns: count(1, 32),
    cell: size,
    cells: v.optional(
      v.pipe(
        v.array(v.strictObject({ row: count(0, 31), column: count(0, 31), role, fill, text: v.optional(text) })),
        v.maxLength(sceneLimits.cells),
      ),
    ),
  }),
  v.strictObject({
    kind: v.literal('table'),
    ...place,
    width: length,
    size: v.optional(size),
    columns: v.pipe(v.array(text), v.minLength(1), v.maxLength(12)),
    rows: v.pipe(
      v.array(v.strictObject({ cells: v.pipe(v.array(text), v.maxLength(12)), role, fill })),
      v.maxLength(40),
    ),
  }),
  v.strictObject({
    kind: v.literal('code'),
    ...place,
    width: length,
    size: v.optional(size),
    lines: v.pipe(v.array(v.strictObject({ text, role })), v.minLength(1), v.maxLength(60)),
  }),
  v.strictObject({
    kind: v.literal('node'),
    ...place,
    id: v.pipe(v.string(), v.regex(/^[\w.:-]{1,64}$/)),
    text,
    width: length,
    height: length,
    size: v.optional(size),
    fill,
    round: v.optional(v.boolean()),
  }),
  v.strictObject({
    kind: v.literal('edge'),
    id,
    role,
    from: v.string(),
    to: v.string(),
    text: v.optional(text),
    directed: v.optional(v.boolean()),
    dashed: v.optional(v.boolean()),
  }),
  v.strictObject({ kind: v.literal('image'), ...place, width: length, height: length, image: v.unknown() }),
]);

const sceneSchema = v.strictObject({
  width: v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(sceneLimits.side)),
  height: v.pipe(v.number(), v.finite(), v.minValue(1), v.maxValue(sceneLimits.side)),
  /** What is drawn, for those who do not see it. */
  words: v.optional(text),
  shapes: v.pipe(v.array(shapeSchema), v.maxLength(sceneLimits.shapes)),
});

type ReadShape = v.InferOutput<typeof shapeSchema>;
type ImageShape = Omit<Extract<ReadShape, { kind: 'image' }>, 'image'> & { readonly image: Image };
export type SceneShape = Readonly<Exclude<ReadShape, { kind: 'image' }> | ImageShape>;
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly words?: string;
  readonly shapes: readonly SceneShape[];
}

/** Reads what `draw` gave. */
export function readScene(verdict: Verdict): Reading<Scene> {
  const answer = readVerdict(verdict);
  return 'problem' in answer ? answer : sceneOf(answer.value);
}

export function sceneOf(value: Json): Reading<Scene> {
  const read = v.safeParse(sceneSchema, value, { abortEarly: true });
  if (!read.success) {
    const [issue] = read.issues;
    const at = plainText(v.getDotPath(issue) ?? '', 80) || 'the top';
    return { problem: `draw gave no scene: at ${at}, ${plainText(issue.message, 200)}.` };
  }
  const { shapes, ...scene } = read.output;
  const problem = excess(read.output);
  if (problem !== null) return { problem };
  const drawn: SceneShape[] = [];
  for (const shape of shapes) {
    if (shape.kind !== 'image') {
      drawn.push(shape);
      continue;
    }
    const image = readImage(shape.image as Json, 'draw', true);
    if ('problem' in image) return image;
    drawn.push({ ...shape, image: image.value.image ?? nothing });
  }
  return { value: { ...scene, shapes: drawn } };
}

const nothing = imageOf(8, 8, new Uint8Array(8 * 8 * 3));

type ReadScene = v.InferOutput<typeof sceneSchema>;

/** A sentence if the scene is too much as a whole, or joins nodes that are not there. */
function excess({ words = '', shapes }: ReadScene): string | null {
  const { cells: mostCells, text: mostText, images: mostImages } = sceneLimits;
  const texts = shapes.flatMap(textsOf);
  const characters = words.length + texts.reduce((sum, each) => sum + each.length, 0);
  if (characters > mostText) return `draw gave ${characters} characters of text; a scene may have ${mostText}.`;
  const cells = shapes.reduce((sum, shape) => sum + cellsOf(shape), 0);
  if (cells > mostCells) return `draw gave ${cells} cells of grids and tables; a scene may have ${mostCells}.`;
  const images = shapes.filter(({ kind }) => kind === 'image').length;
  if (images > mostImages) return `draw gave ${images} images; a scene may have ${mostImages}.`;
  const nodes = new Set(shapes.flatMap((shape) => (shape.kind === 'node' ? [shape.id] : [])));
  const loose = shapes.find((shape) => shape.kind === 'edge' && !(nodes.has(shape.from) && nodes.has(shape.to)));
  return loose === undefined ? null : 'draw gave an edge between nodes that its scene does not have.';
}

function textsOf(shape: ReadShape): readonly string[] {
  switch (shape.kind) {
    case 'text':
    case 'node':
      return [shape.text];
    case 'edge':
      return shape.text === undefined ? [] : [shape.text];
    case 'grid':
      return (shape.cells ?? []).flatMap((cell) => cell.text ?? []);
    case 'table':
      return [...shape.columns, ...shape.rows.flatMap(({ cells }) => cells)];
    case 'code':
      return shape.lines.map((line) => line.text);
    default:
      return [];
  }
}

function cellsOf(shape: ReadShape): number {
  if (shape.kind === 'grid') return shape.rows * shape.columns + (shape.cells?.length ?? 0);
  return shape.kind === 'table' ? shape.columns.length * shape.rows.length : 0;
}
