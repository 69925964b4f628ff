/**
 * Half-precision numbers (IEEE 754 binary16), two to a word as `unpack2x16float` of WGSL reads them: the first in the
 * low bits. Rounded to nearest, ties to even. Done on the CPU because WGSL leaves rounding to the device.
 */
import { assert } from './assert';

const maxHalf = 65504;
/** 2⁻²⁴. */
const smallestHalf = 1 / 0x1000000;
/** Bits of the float32 2⁻¹⁴. Below it, halves are multiples of the smallest. */
const minNormalBits = 0x38800000;
/** Difference of the exponent biases of float32 and half, shifted to the exponent bits. */
const rebias = (127 - 15) << 23;
/** Adding and subtracting 2⁵² rounds a small float64 to an integer, ties to even. */
const roundToInteger = 0x10000000000000;

/** False if a number is NaN or would become infinite. */
export function fitHalves(numbers: Float32Array): boolean {
  return numbers.every((number) => Math.abs(number) <= maxHalf);
}

/** Tests the bits of the exponents. */
export function allFiniteHalves(words: Uint32Array): boolean {
  const exponent = 0x7c00;
  for (const word of words) if ((word & exponent) === exponent || ((word >>> 16) & exponent) === exponent) return false;
  return true;
}

/** @param numbers that fit, an even count */
export function packHalves(numbers: Float32Array): Uint32Array<ArrayBuffer> {
  assert(numbers.length % 2 === 0, `two halves make a word, got ${numbers.length} numbers`);
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const words = new Uint32Array(numbers.length / 2);
  for (let i = 0; i < bits.length; i++) {
    const magnitude = bits[i] & 0x7fffffff;
    const half =
      magnitude < minNormalBits
        ? Math.abs(numbers[i]) / smallestHalf + roundToInteger - roundToInteger
        : (magnitude - rebias + 0xfff + ((magnitude >>> 13) & 1)) >>> 13;
    words[i >> 1] |= (((bits[i] >>> 16) & 0x8000) | half) << (16 * (i & 1));
  }
  return words;
}

/** Rows of `width` numbers that fit. A row has words of its own, so an odd one ends with a half that is 0. */
export function packHalfRows(numbers: Float32Array, width: number): Uint32Array<ArrayBuffer> {
  if (width % 2 === 0) return packHalves(numbers);
  const padded = new Float32Array((numbers.length / width) * (width + 1));
  for (let at = 0, row = 0; at < numbers.length; at += width, row++)
    padded.set(numbers.subarray(at, at + width), row * (width + 1));
  return packHalves(padded);
}

/** Exact: every half is a float32, infinities and NaN too. */
export function unpackHalves(words: Uint32Array): Float32Array<ArrayBuffer> {
  const numbers = new Float32Array(words.length * 2);
  const bits = new Uint32Array(numbers.buffer);
  for (let i = 0; i < bits.length; i++) {
    const half = words[i >> 1] >>> (16 * (i & 1));
    const magnitude = half & 0x7fff;
    if (magnitude < 0x400) numbers[i] = magnitude * smallestHalf;
    else bits[i] = (magnitude << 13) + (magnitude < 0x7c00 ? rebias : 2 * rebias);
    bits[i] |= (half & 0x8000) << 16;
  }
  return numbers;
}
