/** Draws from given logits through the sampler's kernel, and a test of what was drawn. */
import { expect } from 'vitest';
import type { Sampling } from '../../src/agent/types';
import { Commands, readTensor } from '../../src/device/commands';
import { Struct } from '../../src/device/struct';
import { Tape } from '../../src/device/tape';
import { writeTensor } from '../../src/device/tensor';
import { truncatedProbabilities } from '../reference/distribution';
import { testDevice } from './devices';
import { drawGrid } from '../../src/ops/softmax-lanes';

export type Cut = Pick<Sampling, 'temperature' | 'topK' | 'topP'>;

/** `draws` tokens of each row; position counts up, so every draw has its own random numbers. */
export async function drawRows(
  logits: number[][],
  { temperature, topK, topP }: Cut,
  draws: number,
  lanes: 1 | 64 | 256,
): Promise<number[][]> {
  const device = await testDevice();
  const [R, V] = [logits.length, logits[0].length];
  const tape = new Tape(device, false);
  const integers = (name: string, shape: number[], fill: (i: number) => number) => {
    const tensor = tape.constant(name, shape, 'u32');
    writeTensor(
      device,
      tensor,
      Uint32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => fill(i)),
    );
    return tensor;
  };
  const rows = integers('rows', [R, 2], (i) => (i % 2 === 0 ? i / 2 : 0));
  const feed = integers('feed', [R], () => 0);
  const progress = integers('progress', [R, 2], (i) => (i % 2 === 0 ? draws : 0));
  const drawn = tape.constant('drawn', [R, draws, 4], 'u32');
  const tensor = tape.constant('logits', [R, V]);
  writeTensor(device, tensor, Float32Array.from(logits.flat()));
  const sampling = { inverseTemperature: 1 / temperature, topP, topK, greedy: 0, seed: 77, iteration: 5 };
  const words = new Struct('sample', 'Settings').pack({ ...sampling, stopCount: 0, stops: 0 });
  const settings = tape.uniform('settings', words);
  tape.dispatch(
    'sample',
    'forward',
    { R, V, CHUNK: draws, LANES: lanes },
    { logits: tensor, feed, rows, progress, drawn, settings },
    drawGrid(R, lanes),
  );
  const { forward, destroy } = tape.seal();
  await device.compiled();
  const commands = new Commands(device);
  for (let i = 0; i < draws; i++) commands.run(forward);
  commands.submit();
  const result = new Uint32Array((await readTensor(device, drawn)).buffer);
  destroy();
  return logits.map((_, r) => Array.from({ length: draws }, (_, i) => result[(r * draws + i) * 4]));
}

/** Fails if the counts are this unlikely (p < 1e-6) under the probabilities, or if something impossible was drawn. */
export function expectChiSquare(counts: number[], probabilities: number[], what: string): void {
  const n = counts.reduce((a, b) => a + b, 0);
  let statistic = 0;
  let freedom = -1;
  let rareExpected = 0;
  let rareSeen = 0;
  probabilities.forEach((p, v) => {
    if (p === 0) {
      expect(counts[v], `${what}: token ${v} has probability 0`).toBe(0);
      return;
    }
    if (n * p < 5) {
      rareExpected += n * p;
      rareSeen += counts[v];
      return;
    }
    statistic += (counts[v] - n * p) ** 2 / (n * p);
    freedom++;
  });
  if (rareExpected >= 5) {
    statistic += (rareSeen - rareExpected) ** 2 / rareExpected;
    freedom++;
  }
  if (freedom <= 0) return;
  // Wilson–Hilferty: the cube root of chi-square over its freedom is nearly normal; 4.75 standard deviations are p =
  // 1e-6.
  const z = (Math.cbrt(statistic / freedom) - (1 - 2 / (9 * freedom))) / Math.sqrt(2 / (9 * freedom));
  expect(z, `${what}: chi-square ${statistic.toFixed(1)} with ${freedom} degrees of freedom`).toBeLessThan(4.75);
}

/** A draw from all tokens. */
export const all: Cut = { temperature: 1, topK: 0, topP: 1 };

/** Numbers in [0, 1) that look random. */
export const noise = (i: number) => Math.abs(Math.sin(12.9898 * i + 78.233) * 43758.5453) % 1;
export const row = (V: number, logit: (v: number) => number) =>
  Array.from({ length: V }, (_, v) => Math.fround(logit(v)));

/** Draws from one row and compares with float64. Every token that is kept must be drawn if `complete`. */
export async function expectCut(
  logits: number[],
  cut: Partial<Cut>,
  lanes: 1 | 64 | 256,
  complete = false,
): Promise<void> {
  const full = { ...all, ...cut };
  const expected = truncatedProbabilities(logits, full);
  const rows = Array.from({ length: logits.length < 10_000 ? 32 : 6 }, () => logits);
  const counts = new Array<number>(logits.length).fill(0);
  for (const token of (await drawRows(rows, full, 20, lanes)).flat()) counts[token]++;
  const what = `${logits.length} tokens, ${JSON.stringify(cut)}`;
  expectChiSquare(counts, expected, what);
  if (!complete) return;
  const kept = (numbers: number[]) => numbers.flatMap((each, v) => (each > 0 ? [v] : []));
  expect(kept(counts), what).toEqual(kept(expected));
}
