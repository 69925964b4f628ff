/** The curve of links written before engine 0.4: 64 bytes of success, spread evenly over the run. */

/** Shares, 0 … 1. */
export function curveFromBytes(bytes: Uint8Array): number[] {
  return Array.from(bytes, (byte) => byte / 255);
}
