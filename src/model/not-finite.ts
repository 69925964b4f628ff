/**
 * Thrown by whoever reads back numbers that are NaN or infinite where the model computed them: what they come from must
 * not be kept. The message is a sentence. Numbers that are only skipped and counted are no such error.
 */
export class NotFinite extends Error {}

/** Whether all are finite, told by the bits of their exponents. */
export function allFinite(numbers: Float32Array): boolean {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const exponent = 0x7f800000;
  for (let i = 0; i < bits.length; i++) if ((bits[i] & exponent) === exponent) return false;
  return true;
}
