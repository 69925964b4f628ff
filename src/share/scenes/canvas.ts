/** A scene on a canvas: many small ones are drawn faster so than as elements. */
import type { Scene } from '../../agent/scene';
import { marksOf, type Mark } from './marks';
import { colourOf, type Scheme } from './svg';

/** Smaller letters cannot be read, in pixels of the canvas. */
const leastLetter = 5;

type Context = CanvasRenderingContext2D;

/** Fills the canvas with the scene, in the middle and as large as it fits. Its images are left out. */
export function paintScene(context: Context, scene: Scene, scheme: Scheme): void {
  const { width, height } = context.canvas;
  const scale = Math.min(width / scene.width, height / scene.height);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colourOf('ground', scheme);
  context.fillRect(0, 0, width, height);
  const [left, top] = [(width - scene.width * scale) / 2, (height - scene.height * scale) / 2];
  context.setTransform(scale, 0, 0, scale, left, top);
  context.lineWidth = 1.5;
  for (const mark of marksOf(scene)) if (mark.kind !== 'image') paint(context, mark, scheme, scale);
}

function paint(context: Context, mark: Exclude<Mark, { kind: 'image' }>, scheme: Scheme, scale: number): void {
  context.fillStyle = colourOf(mark.fill, scheme);
  if (mark.kind === 'text') {
    if (mark.size * scale < leastLetter) return;
    context.font = `${mark.bold ? '600 ' : ''}${mark.size}px ui-monospace, 'DejaVu Sans Mono', monospace`;
    context.textAlign = mark.anchor === 'middle' ? 'center' : mark.anchor;
    context.fillText(mark.text, mark.x, mark.y);
    return;
  }
  const path = mark.kind === 'path' ? new Path2D(mark.d) : new Path2D();
  if (mark.kind === 'circle') path.arc(mark.x, mark.y, mark.radius, 0, 2 * Math.PI);
  if (mark.kind === 'rectangle') path.roundRect(mark.x, mark.y, mark.width, mark.height, mark.radius);
  if (mark.fill !== 'none') context.fill(path);
  if (mark.stroke === 'none') return;
  context.strokeStyle = colourOf(mark.stroke, scheme);
  context.setLineDash(mark.kind === 'path' && mark.dashed ? [4, 3] : []);
  context.stroke(path);
}
