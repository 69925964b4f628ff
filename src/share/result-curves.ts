/**
 * What a row's curves and settings say beside its last success. Not in results.ts, so that the page need not load the
 * schema.
 */
import { mean } from '../lib/mean';
import type { ResultRow, SeedResult } from './results';

/** Success at which an agent counts as trained. */
export const trainedSuccess = 0.75;

type Seeds = Pick<ResultRow, 'seeds'>;

const successCurves = ({ seeds }: Seeds): readonly (readonly number[])[] =>
  seeds.map(({ curves }) => curves.success).filter(({ length }) => length > 0);

/** Area under the success of sampled rollouts, as its mean over iterations and seeds, 0 … 1; null without curves. */
export function areaUnderSuccess(row: Seeds): number | null {
  const areas = successCurves(row).map(mean);
  return areas.length === 0 ? null : mean(areas);
}

/**
 * The highest mean over seeds of the success of sampled rollouts, 0 … 1, and its iteration, from 1: the end of a run
 * alone would hide that it was better before. Null without curves.
 */
export function peakOfSuccess(row: Seeds): { readonly success: number; readonly iteration: number } | null {
  const curves = successCurves(row);
  if (curves.length === 0) return null;
  const shortest = Math.min(...curves.map(({ length }) => length));
  const means = Array.from({ length: shortest }, (_, i) => mean(curves.map((curve) => curve[i])));
  const success = Math.max(...means);
  return { success, iteration: means.indexOf(success) + 1 };
}

/** The first iteration of each seed whose rollouts reach `trainedSuccess`; null of a seed that never does. */
export function iterationsToTrained(row: Seeds): (number | null)[] {
  return successCurves(row).map((curve) => {
    const at = curve.findIndex((success) => success >= trainedSuccess);
    return at < 0 ? null : at + 1;
  });
}

/** Settings that decide how many updates a run makes. */
const paces: readonly string[] = ['iterations', 'algorithm.epochs', 'algorithm.miniBatches'];

/** Whether rows make different numbers of updates, as they say, or, in older files, as their settings do. */
export function updatesDiffer(rows: readonly ResultRow[]): boolean {
  const counts = new Set(rows.flatMap(({ updates }) => updates ?? []));
  return counts.size > 1 || rows.some(changesUpdates);
}

/** Whether a row of an older file makes another number of updates than its base. */
export const changesUpdates = ({ updates, changes }: ResultRow): boolean =>
  updates === undefined && changes.some(({ path }) => paces.includes(path));

/** Whether rows differ in what their prompts show of an episode, so that prompt tokens tell them apart. */
export const contextsDiffer = (rows: readonly ResultRow[]): boolean =>
  rows.some(({ changes }) => changes.some(({ path }) => path.startsWith('context.')));

/** Tokens of all prompts of an episode at the end, a mean over seeds; null where no seed counted them. */
export function promptTokensOf({ seeds }: Seeds): number | null {
  const counts = seeds.flatMap(({ end }) => end?.inDistribution.promptTokens ?? []);
  return counts.length === 0 ? null : mean(counts);
}

export type CurveName = keyof SeedResult['curves'];
