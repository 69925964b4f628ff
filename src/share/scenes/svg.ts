/** A scene as the text of an SVG file, for replays and pictures outside of the page. */
import { sceneRoles, type Scene, type SceneRole } from '../../agent/scene';
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

/** An element of SVG, its attributes by name: they are of shapes whose numbers and roles were read. */
export interface SceneElement {
  readonly tag: 'rect' | 'circle' | 'path' | 'text' | 'image';
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly text?: string;
}

/** @param sizePx width of the picture; the height follows */
export function sceneSvg(scene: Scene, scheme: Scheme = 'light', sizePx = scene.width): string {
  const { width, height } = scene;
  const heightPx = Math.round((sizePx * height) / width);
  const colour = (paint: Paint) => colourOf(paint, scheme);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${sizePx}" height="${heightPx}" `,
    `role="img" font-family="ui-monospace, 'DejaVu Sans Mono', monospace"><title>${xmlText(wordsOf(scene))}</title>`,
    `<rect width="${width}" height="${height}" fill="${colour('ground')}"/>`,
    ...marksOf(scene).map((mark) => markup(elementOf(mark, colour))),
    '</svg>',
  ].join('');
}

/** Colours of scenes as properties of a page, which `pagePaint` names. */
export const scenePalette = (): string =>
  (Object.keys(sceneColours) as (keyof typeof sceneColours)[])
    .flatMap((name): Paint[] => (isRole(name) ? [name, `${name}-soft`] : [name]))
    .map((paint) => `--scene-${paint}:light-dark(${colourOf(paint, 'light')},${colourOf(paint, 'dark')})`)
    .join(';');

export const pagePaint = (paint: Paint): string => (paint === 'none' ? 'none' : `var(--scene-${paint})`);

const isRole = (name: string): name is SceneRole => sceneRoles.some((role) => role === name);

export function colourOf(paint: Paint, scheme: Scheme): string {
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

const markup = ({ tag, attributes, text }: SceneElement): string => {
  const written = Object.entries(attributes).map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`));
  return `<${tag}${written.join('')}${text === undefined ? '/>' : `>${xmlText(text)}</${tag}>`}`;
};

export function elementOf(mark: Mark, colour: (paint: Paint) => string): SceneElement {
  if (mark.kind === 'image') {
    const { x, y, width, height, image } = mark;
    const attributes = { x, y, width, height, href: imageUrl(image), 'image-rendering': 'pixelated' };
    return { tag: 'image', attributes };
  }
  if (mark.kind === 'text') {
    const { x, y, text, size, anchor, bold } = mark;
    const font = { 'font-size': size, 'font-weight': bold ? 600 : undefined, 'text-anchor': anchor };
    return { tag: 'text', attributes: { x, y, ...font, 'xml:space': 'preserve', fill: colour(mark.fill) }, text };
  }
  const hasBorder = mark.stroke !== 'none';
  const paint = {
    fill: colour(mark.fill),
    stroke: hasBorder ? colour(mark.stroke) : undefined,
    'stroke-width': hasBorder ? 1.5 : undefined,
  };
  if (mark.kind === 'circle')
    return { tag: 'circle', attributes: { cx: mark.x, cy: mark.y, r: mark.radius, ...paint } };
  if (mark.kind === 'path')
    return { tag: 'path', attributes: { d: mark.d, ...paint, 'stroke-dasharray': mark.dashed ? '4 3' : undefined } };
  const { x, y, width, height, radius } = mark;
  return { tag: 'rect', attributes: { x, y, width, height, rx: radius, ...paint } };
}
