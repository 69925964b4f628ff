/** A scene as the text of an SVG file, for replays and pictures outside of the page. */
import type { Scene, SceneRole } from '../../agent/scene';
import { xmlText } from '../../lib/plain-text';
import { imageUrl } from './image-url';
import { marksOf, wordsOf, type Mark, type Paint } from './marks';

export type Scheme = 'light' | 'dark';

/** The page's own colours: `theme.css` has them too, and a test compares the two. */
export const sceneColours: Readonly<Record<SceneRole | 'ground' | 'hairline' | 'on-solid', readonly [string, string]>> =
  {
    ink: ['#1a1d20', '#e9e7e2'],
    muted: ['#565d64', '#a5acb3'],
    agent: ['#00727a', '#4fc3cb'],
    goal: ['#4b53c5', '#a2abff'],
    danger: ['#c25100', '#f2935a'],
    object: ['#8a6d00', '#e2b93b'],
    good: ['#2b6f12', '#8fd268'],
    note: ['#a84a86', '#e79fcb'],
    ground: ['#ffffff', '#1b1f24'],
    hairline: ['#dedbd3', '#2d343b'],
    'on-solid': ['#ffffff', '#13161a'],
  };

/** Share of a role's colour in its faint ground. */
const softShare = 0.16;

/** @param sizePx width of the picture; the height follows */
export function sceneSvg(scene: Scene, scheme: Scheme = 'light', sizePx = scene.width): string {
  const { width, height } = scene;
  const heightPx = Math.round((sizePx * height) / width);
  const colour = (paint: Paint) => colourOf(paint, scheme);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${sizePx}" height="${heightPx}" `,
    `role="img" font-family="ui-monospace, 'DejaVu Sans Mono', monospace"><title>${xmlText(wordsOf(scene))}</title>`,
    `<rect width="${width}" height="${height}" fill="${colour('ground')}"/>`,
    ...marksOf(scene).map((mark) => element(mark, colour)),
    '</svg>',
  ].join('');
}

function colourOf(paint: Paint, scheme: Scheme): string {
  if (paint === 'none') return 'none';
  const at = scheme === 'light' ? 0 : 1;
  if (!paint.endsWith('-soft')) return sceneColours[paint as SceneRole][at];
  const [own, ground] = [paint.slice(0, -'-soft'.length) as SceneRole, 'ground' as const].map((name) =>
    channels(sceneColours[name][at]),
  );
  return `#${own.map((value, i) => hex(value * softShare + ground[i] * (1 - softShare))).join('')}`;
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

function element(mark: Mark, colour: (paint: Paint) => string): string {
  if (mark.kind === 'image') {
    const { x, y, width, height, image } = mark;
    const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
    return `<image ${box} href="${imageUrl(image)}" style="image-rendering:pixelated"/>`;
  }
  if (mark.kind === 'text') {
    const { x, y, text, size, anchor, bold, fill } = mark;
    const weight = bold ? ' font-weight="600"' : '';
    return (
      `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}"${weight} xml:space="preserve" ` +
      `fill="${colour(fill)}">${xmlText(text)}</text>`
    );
  }
  const stroke = mark.stroke === 'none' ? '' : ` stroke="${colour(mark.stroke)}" stroke-width="1.5"`;
  const paint = `fill="${colour(mark.fill)}"${stroke}`;
  if (mark.kind === 'circle') return `<circle cx="${mark.x}" cy="${mark.y}" r="${mark.radius}" ${paint}/>`;
  if (mark.kind === 'path') return `<path d="${mark.d}" ${paint}${mark.dashed ? ' stroke-dasharray="4 3"' : ''}/>`;
  const { x, y, width, height, radius } = mark;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${paint}/>`;
}
