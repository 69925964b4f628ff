/**
 * Half-precision numbers (IEEE 754 binary16), two to a word as `unpack2x16float` of WGSL reads them: the first in the low bits.
 * Rounded to nearest, ties to even. Done on the CPU because WGSL leaves rounding to the device.
 */
import { assert } from './assert';

const largest = 65504;
/** Below it, halves are multiples of 2⁻²⁴. */
const smallestNormal = 2 ** -14;
/** Adding and taking it off again rounds a small float64 to a whole number. */
const wholeNumbers = 2 ** 52;

/** Whether no number would become infinite or is NaN. */
export function fitHalves(numbers: Float32Array): boolean {
  return numbers.every((number) => Math.abs(number) <= largest);
}

/** @param numbers that fit, an even count */
export function packHalves(numbers: Float32Array): Uint32Array<ArrayBuffer> {
  assert(numbers.length % 2 === 0, `two halves make a word, got ${numbers.length} numbers`);
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const half = (i: number): number => {
    const sign = (bits[i] >>> 16) & 0x8000;
    const magnitude = bits[i] & 0x7fffffff;
    const number = Math.abs(numbers[i]);
    if (number < smallestNormal) return sign | (number * 2 ** 24 + wholeNumbers - wholeNumbers);
    return sign | ((magnitude + 0xfff + ((magnitude >>> 13) & 1) - 0x38000000) >>> 13);
  };
  return Uint32Array.from({ length: numbers.length / 2 }, (_, i) => half(2 * i) | (half(2 * i + 1) << 16));
}

/** Exact: every half is a float32. */
export function unpackHalves(words: Uint32Array): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: words.length * 2 }, (_, i) => {
    const half = (words[i >> 1] >>> (16 * (i & 1))) & 0xffff;
    const exponent = (half >>> 10) & 31;
    const fraction = half & 1023;
    const magnitude = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
    return half & 0x8000 ? -magnitude : magnitude;
  });
}
