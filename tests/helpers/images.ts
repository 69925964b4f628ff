/** Small pictures, and a model that sees them. */
import type { TransformerShape } from '../../src/model/transformer/shape';
import { imageOf, patchLength, type Image } from '../../src/text/image';
import { tinyShape } from './tiny-model';

export const seeingShape: TransformerShape = { ...tinyShape, patchLength };
/** Stands at the place of a patch in the prompts of tests. */
export const imageToken = seeingShape.vocabulary - 1;

/** A picture of pseudo-random bytes, another one for each key. */
export function picture(key: number, width = 16, height = 8): Image {
  const bytes = Array.from({ length: width * height * 3 }, (_, i) => ((i + 1) * (i + 7) * (key + 3)) % 256);
  return imageOf(width, height, bytes);
}

/** A picture of one colour. */
export function plain(color: readonly [number, number, number], size = 8): Image {
  return imageOf(size, size, Array.from({ length: size * size }, () => color).flat());
}
