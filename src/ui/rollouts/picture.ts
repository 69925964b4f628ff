/** Images of rollouts for a canvas. Pure. */
import type { Image } from '../../agent/types';

/** Red, green, blue and opacity of each pixel, row by row. */
export function canvasBytes({ width, height, pixels }: Image): Uint8ClampedArray<ArrayBuffer> {
  const bytes = atob(pixels);
  const canvas = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < bytes.length; i++) canvas[Math.floor(i / 3) * 4 + (i % 3)] = bytes.charCodeAt(i);
  return canvas;
}
