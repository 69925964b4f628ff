/** A run's success curve small enough for a link: 64 bytes, whatever the run's length. */

const points = 64;

/** Resamples shares (0 … 1) to 64 bytes by linear interpolation; first and last value stay. Empty input gives zeros. */
export function curveToBytes(values: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: points }, (_, i) => {
    const at = (i * (values.length - 1)) / (points - 1);
    const left = Math.max(0, Math.floor(at));
    const right = Math.min(values.length - 1, left + 1);
    const value = (values[left] ?? 0) + ((values[right] ?? 0) - (values[left] ?? 0)) * (at - left);
    return Math.round(255 * Math.min(1, Math.max(0, value)));
  });
}

/** The 64 shares (0 … 1), evenly spread over the run. */
export function curveFromBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes, (byte) => byte / 255);
}
