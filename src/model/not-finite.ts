/**
 * The model computed a NaN or an infinity, so its state must not be saved. The message is a sentence. Not thrown for an
 * update that was skipped and counted.
 */
export class NotFinite extends Error {}

/** Tests the bits of the exponents. */
export function allFinite(numbers: Float32Array): boolean {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  const exponent = 0x7f800000;
  for (let i = 0; i < bits.length; i++) if ((bits[i] & exponent) === exponent) return false;
  return true;
}
