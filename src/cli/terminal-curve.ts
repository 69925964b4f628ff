/** A curve in one line of Unicode blocks. */
import { mean } from '../lib/mean';

const BLOCKS = '▁▂▃▄▅▆▇█';

/**
 * @param values NaN is drawn as a space
 * @param width maximum characters; with more values, a character is the mean of its share
 * @param low value of the lowest block @param high value of the highest
 */
export function terminalCurve(values: readonly number[], width: number, low: number, high: number): string {
  const columns = Math.min(width, values.length);
  return Array.from({ length: columns }, (_, column) => {
    const start = Math.floor((column * values.length) / columns);
    const end = Math.floor(((column + 1) * values.length) / columns);
    const share = values.slice(start, end).filter((value) => !Number.isNaN(value));
    if (share.length === 0) return ' ';
    const height = high > low ? (mean(share) - low) / (high - low) : 0;
    return BLOCKS[Math.round(Math.min(1, Math.max(0, height)) * (BLOCKS.length - 1))];
  }).join('');
}
