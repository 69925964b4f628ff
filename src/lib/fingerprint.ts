/** Digests of the exact bits of a run's first iterations, which two people compare to see if their runs are equal. */
import { sha256 } from './sha256';

/** Number of digests in a link: runs that differ do so within the first iterations. */
export const fingerprintIterations = 8;

/** Numbers of an iteration that must repeat; no measured times. */
export interface IterationBits {
  /** Sampled token ids, one array a trajectory. */
  readonly tokens: readonly ArrayLike<number>[];
  /** One reward a trajectory. */
  readonly rewards: ArrayLike<number>;
  /** Numbers of the update, in a fixed order. */
  readonly metrics: ArrayLike<number>;
}

/** First 8 bytes in hex of SHA-256 over lengths and ids (uint32) and values (float64), all little-endian. */
export async function iterationDigest({ tokens, rewards, metrics }: IterationBits): Promise<string> {
  const ids = tokens.reduce((sum, row) => sum + row.length, 0);
  const bytes = new DataView(new ArrayBuffer(4 * (3 + tokens.length + ids) + 8 * (rewards.length + metrics.length)));
  let at = 0;
  const word = (value: number): void => {
    bytes.setUint32(at, value, true);
    at += 4;
  };
  const values = (list: ArrayLike<number>): void => {
    word(list.length);
    for (let i = 0; i < list.length; i++, at += 8) bytes.setFloat64(at, list[i], true);
  };
  word(tokens.length);
  for (const row of tokens) {
    word(row.length);
    for (let i = 0; i < row.length; i++) word(row[i]);
  }
  values(rewards);
  values(metrics);
  return (await sha256(bytes)).slice(0, 16);
}

/** Number of leading iterations in which two runs have the same digest. */
export function identicalTo(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((digest, i) => digest !== b[i]);
  return different < 0 ? a.length : different;
}
