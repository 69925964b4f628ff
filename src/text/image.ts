/**
 * Images as a model reads them: patches of 8 × 8 pixels, each at the place of one token. Their tokens are all alike, so
 * whoever compares prompts compares the images among them, too.
 */
import { assert } from '../lib/assert';

/** Plain data, structured-cloneable. */
export interface Image {
  /** In pixels: a multiple of `patchSize`, up to `maxImageSize`, as is the height. */
  readonly width: number;
  readonly height: number;
  /** Red, green and blue bytes of each pixel, row by row, in base64: equal images have equal texts. */
  readonly pixels: string;
}

/** What a message holds: text, or texts and images in order. */
export type Content = string | readonly (string | Image)[];

/** The texts of it. */
export const textOf = (content: Content): string =>
  [content]
    .flat()
    .filter((part): part is string => typeof part === 'string')
    .join(' ');

export const contentOf = (text: string, image?: Image): Content => (image ? [text, image] : text);

export const imagesIn = (content: Content): Image[] =>
  [content].flat().filter((part): part is Image => typeof part !== 'string');

/** An image among tokens: its patches stand from token `at`, row by row. */
export interface PlacedImage {
  readonly at: number;
  readonly image: Image;
}

/** Tokens, and the images among them in order. */
export interface Prompted {
  readonly tokens: ArrayLike<number>;
  readonly images?: readonly PlacedImage[];
}

/** Pixels of a patch's side. */
export const patchSize = 8;
export const maxImageSize = 64;
/** Numbers of a patch. */
export const patchLength = patchSize * patchSize * 3;

export const patchCount = ({ width, height }: Image): number => (width / patchSize) * (height / patchSize);

/** @param bytes red, green and blue of each pixel, row by row */
export function imageOf(width: number, height: number, bytes: ArrayLike<number>): Image {
  assert(bytes.length === width * height * 3, `an image of ${width} × ${height} has ${bytes.length} bytes`);
  return { width, height, pixels: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}

/** Red, green and blue of each pixel, row by row. */
export function bytesOf({ pixels }: Image): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(pixels), (byte) => byte.charCodeAt(0));
}

/** Numbers from 0 to 1, [patches, patchLength]: the pixels of a patch row by row. */
export function patchesOf(image: Image): Float32Array<ArrayBuffer> {
  const bytes = bytesOf(image);
  const across = image.width / patchSize;
  const row = patchSize * 3;
  const numbers = new Float32Array(bytes.length);
  for (let start = 0, strip = 0; start < bytes.length; start += row, strip++) {
    // Strips of eight pixels, in the order of the image.
    const [y, x] = [Math.floor(strip / across), strip % across];
    const patch = Math.floor(y / patchSize) * across + x;
    const to = patch * patchLength + (y % patchSize) * row;
    for (let i = 0; i < row; i++) numbers[to + i] = bytes[start + i] / 255;
  }
  return numbers;
}

/** How many leading tokens are the same, with the same images. */
export function sharedTokens(a: Prompted, b: Prompted): number {
  const most = Math.min(a.tokens.length, b.tokens.length);
  let shared = 0;
  while (shared < most && a.tokens[shared] === b.tokens[shared]) shared++;
  const [own, other] = [a.images ?? [], b.images ?? []];
  let i = 0;
  while (i < own.length && i < other.length && isSame(own[i], other[i])) i++;
  return Math.min(shared, own[i]?.at ?? shared, other[i]?.at ?? shared);
}

const isSame = (a: PlacedImage, b: PlacedImage): boolean =>
  a.at === b.at && a.image.width === b.image.width && a.image.pixels === b.image.pixels;

/** A text that two prompts have in common if their first `end` tokens and the images among them are the same. */
export function prefixKey({ tokens, images = [] }: Prompted, end: number): string {
  const among = images.filter(({ at }) => at < end).map(({ at, image }) => `${at} ${image.width} ${image.pixels}`);
  return [Array.from(tokens).slice(0, end).join(), ...among].join(';');
}

/** Patches and where they stand in a list into which tokens of several prompts are laid. */
export class PatchList {
  private readonly patches: Float32Array[] = [];
  private readonly places: number[] = [];

  /** Adds the patches among the tokens from `from` up to `to`. @param place of token `from` in the list */
  add({ images = [] }: Prompted, from: number, to: number, place: number): void {
    for (const { at, image } of images) {
      const [first, end] = [Math.max(from, at), Math.min(to, at + patchCount(image))];
      if (first >= end) continue;
      const numbers = patchesOf(image);
      for (let token = first; token < end; token++) {
        this.patches.push(numbers.subarray((token - at) * patchLength, (token + 1 - at) * patchLength));
        this.places.push(place + token - from);
      }
    }
  }

  /** Those from place `first` up to `end`: patches [P, patchLength], and their places [P] counted from `first`. */
  between(first: number, end: number): { readonly patches: Float32Array; readonly patchPlaces: Uint32Array } {
    const chosen = [...this.places.keys()].filter((i) => this.places[i] >= first && this.places[i] < end);
    const patches = new Float32Array(chosen.length * patchLength);
    chosen.forEach((i, p) => patches.set(this.patches[i], p * patchLength));
    return { patches, patchPlaces: Uint32Array.from(chosen, (i) => this.places[i] - first) };
  }
}
