/** SHA-256 of bytes that come piece by piece (FIPS 180-4), which `crypto.subtle` cannot take. */
import { assert } from './assert';

const blockBytes = 64;
const roundConstants = Uint32Array.from(primes(64), (prime) => rootFraction(prime, 3));

export class RunningSha256 {
  private readonly state = Uint32Array.from(primes(8), (prime) => rootFraction(prime, 2));
  private readonly block = new Uint8Array(blockBytes);
  private readonly schedule = new Uint32Array(64);
  private sizeBytes = 0;
  private isEnded = false;

  update(bytes: Uint8Array): void {
    assert(!this.isEnded, 'a digest was to go on after its end');
    for (let at = 0; at < bytes.length;) {
      const used = this.sizeBytes % blockBytes;
      const taken = Math.min(blockBytes - used, bytes.length - at);
      this.block.set(bytes.subarray(at, at + taken), used);
      this.sizeBytes += taken;
      at += taken;
      if (used + taken === blockBytes) this.mix();
    }
  }

  /** Lowercase hexadecimal, 64 characters. Call once. */
  hex(): string {
    const { sizeBytes } = this;
    const padding = blockBytes - ((sizeBytes + 8) % blockBytes);
    const end = new Uint8Array(padding + 8);
    end[0] = 0x80;
    new DataView(end.buffer).setBigUint64(padding, BigInt(sizeBytes) * 8n);
    this.update(end);
    this.isEnded = true;
    return Array.from(this.state, (word) => word.toString(16).padStart(8, '0')).join('');
  }

  private mix(): void {
    const { state, schedule: w } = this;
    const view = new DataView(this.block.buffer);
    for (let t = 0; t < 16; t++) w[t] = view.getUint32(4 * t);
    for (let t = 16; t < 64; t++) {
      const small = turned(w[t - 15], 7) ^ turned(w[t - 15], 18) ^ (w[t - 15] >>> 3);
      const large = turned(w[t - 2], 17) ^ turned(w[t - 2], 19) ^ (w[t - 2] >>> 10);
      w[t] = w[t - 16] + small + w[t - 7] + large;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const chosen = (e & f) ^ (~e & g);
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + roundConstants[t] + w[t]) | 0;
      const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits behind the point of a root, by halving: the same on every machine. */
function rootFraction(prime: number, degree: 2 | 3): number {
  const power = BigInt(prime) << BigInt(32 * degree);
  let [low, high] = [0n, 1n << 40n];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (middle * middle * (degree === 3 ? middle : 1n) <= power) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}
