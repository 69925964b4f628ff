/** Random numbers of the CPU kernels: the words of src/lib/rng.ts, the noise that sampling adds and its bound. */
import { beforeAll, expect, test } from 'vitest';
import { compileScript } from '../../src/cli/build/cpu-kernels-plugin';
import { bits, Purpose } from '../../src/lib/rng';

const script = `
  import { gumbelBound4, gumbelNoise4, randomBits4, randomKey, randomUniform4 } from './lib/random';
  export function words(to: usize, seed: u32, purpose: u32, a: u32, b: u32, c: u32, d: u32): void {
    v128.store(to, randomBits4(randomKey(seed, purpose, a, b, c), i32x4.add(i32x4.splat(d), i32x4(0, 1, 2, 3))));
  }
  export function uniforms(to: usize, words: usize): void {
    v128.store(to, randomUniform4(v128.load(words)));
  }
  // Of each value of the 23 bits that a uniform has.
  export function noise(noise: usize, bound: usize, from: u32, to: u32): void {
    for (let i = from; i < to; i += 4) {
      const steps = i32x4.add(i32x4.splat(i), i32x4(0, 1, 2, 3));
      const words = v128.or(i32x4.shl(steps, 9), v128.and(steps, i32x4.splat(511)));
      v128.store(noise + 4 * (i - from), gumbelNoise4(words));
      v128.store(bound + 4 * (i - from), gumbelBound4(words));
    }
  }`;

const at = 65536;
const memory = new WebAssembly.Memory({ initial: 32, maximum: 32, shared: true });
let run: Record<string, (...numbers: number[]) => void>;
beforeAll(async () => {
  const { instance } = await WebAssembly.instantiate(await compileScript(script), { env: { memory } });
  run = instance.exports as typeof run;
});

test('words and uniforms are those of TypeScript', () => {
  const words = new Uint32Array(memory.buffer, at, 4);
  const uniforms = new Float32Array(memory.buffer, at + 16, 4);
  for (let i = 0; i < 4096; i++) {
    const keys = [(0xfffffff0 + i) >>> 0, Purpose.sample, i * 7, i >> 3, 1000 + i] as const;
    run.words(at, ...keys, i);
    run.uniforms(at + 16, at);
    const expected = [0, 1, 2, 3].map((lane) => bits(...keys, i + lane));
    expect([...words]).toEqual(expected);
    expect([...uniforms]).toEqual(expected.map((word) => ((word >>> 9) + 0.5) / 2 ** 23));
  }
});

test('Gumbel noise is within 1e-6 of float64 for every word, and below its bound', () => {
  const count = 1 << 16;
  const noise = new Float32Array(memory.buffer, at, count);
  const bound = new Float32Array(memory.buffer, at + 4 * count, count);
  for (let from = 0; from < 2 ** 23; from += count) {
    run.noise(at, at + 4 * count, from, from + count);
    const wrong = noise.findIndex((each, i) => {
      const exact = -Math.log(-Math.log((from + i + 0.5) / 2 ** 23));
      return !(Math.abs(each - exact) < 1e-6 * Math.max(1, Math.abs(exact)) && each < bound[i]);
    });
    expect(wrong, `of ${from}`).toBe(-1);
  }
});
