/**
 * Pass@k: the chance that at least one of k attempts solves a task, estimated from n ≥ k attempts. Chen et al. 2021
 * (arXiv 2107.03374): without bias, where 1 − (1 − c/n)^k has one.
 */
import { mean } from '../lib/mean';
import type { ResultRow } from './results';

/** What it is, for a reader of a table. */
export const passMeaning =
  'Pass@k is the chance that one of k sampled attempts solves a task, estimated without bias, after the warm start ' +
  'and at the end.';

/** 1 − C(n − c, k) / C(n, k), a mean over tasks. @param solved of the n attempts at each task */
export function passAtK(solved: readonly number[], attempts: number, k: number): number {
  if (k < 1 || k > attempts) throw new Error(`pass@${k} cannot be estimated from ${attempts} attempts.`);
  return mean(solved.map((count) => 1 - failsAll(attempts, count, k)));
}

/** The chance that k of n attempts, drawn without putting back, miss all c that solve. */
function failsAll(n: number, c: number, k: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, n - c - i) / (n - i);
  return chance;
}

/** The k of a table's columns: 1, 4, 16 … up to the most attempts that a row made; none without attempts. */
export function passSizes(rows: readonly Pick<ResultRow, 'seeds'>[]): number[] {
  const most = Math.max(0, ...rows.flatMap(({ seeds }) => seeds.map(({ attempts }) => attempts?.each ?? 0)));
  return [1, 4, 16, 64, 256, 1024].filter((k) => k <= most);
}

/** Pass@k after the warm start and at the end, means over the seeds that ended well; null without any. */
export function passRates({ seeds }: Pick<ResultRow, 'seeds'>, k: number): readonly [number, number] | null {
  const rates = seeds.flatMap(({ attempts }) =>
    attempts?.end && attempts.each >= k
      ? [[attempts.warm, attempts.end].map((solved) => passAtK(solved, attempts.each, k))]
      : [],
  );
  return rates.length === 0 ? null : [mean(rates.map(([warm]) => warm)), mean(rates.map(([, end]) => end))];
}
