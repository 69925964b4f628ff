/** Published tables of results: each row opens with the config that the experiment trained. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { baseConfig, readExperiment, rowConfig as trained, type ExperimentFile } from '../../src/cli/experiment/plan';
import { algorithms } from '../../src/algorithms/table';
import { addressOf, openRunLink } from '../../src/config/run-link';
import { presetByName, presets } from '../../src/config/presets';
import { readResults, type Results, type ResultRow } from '../../src/share/results';
import { rowConfig } from '../../src/config/result-config';
import { catalogOf } from './catalog';

const files = import.meta.glob<ExperimentFile>('../../src/cli/experiments/*.ts', { eager: true, import: 'experiment' });
/** What the page knows of this engine. */
export const here = { presets: catalogOf(...presets.map(({ name }) => name)).presets, cpu: 'CPU (WebAssembly SIMD)' };
const folder = join(import.meta.dirname, '../../public/results');
/** Those with a published table; a new experiment has none yet. */
export const experiments = Object.values(files)
  .filter(({ name }) => existsSync(join(folder, `${name}.json`)))
  .map((file) => [file.name, file] as const);

export const published = (name: string): Results =>
  readResults(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));

/** @param seedsOf the seeds of a row that are opened */
export async function expectOpens(
  file: ExperimentFile,
  seedsOf: (row: ResultRow) => readonly { readonly seed: number }[],
): Promise<void> {
  const experiment = readExperiment(file);
  const base = presetByName(experiment.base).config;
  const results = published(file.name);
  const whole = { ...results, config: baseConfig(experiment, base) };
  const rowOf = (named: string) => experiment.rows.find((row) => row.name === named)!;
  for (const table of [results, whole])
    for (const row of table.rows)
      for (const { seed } of seedsOf(row)) {
        const config = rowConfig(table, row, seed, here);
        // Until 0.9.0 a critic had other settings: its rows of older tables cannot be trained any more.
        const { algorithm } = trained(experiment, base, rowOf(row.name), seed);
        if (results.engineVersion === '0.8.0' && algorithms[algorithm.name].critic !== undefined) continue;
        if (typeof config === 'string') {
          expect(rowOf(row.name).kind, `${row.name}: ${config}`).not.toBe('train');
          continue;
        }
        expect(rowOf(row.name).kind, row.name).toBe('train');
        expect(config, row.name).toEqual({ ...trained(experiment, base, rowOf(row.name), seed), device: 'cpu' });
        expect((await openRunLink(await addressOf(config))).config, row.name).toEqual(config);
      }
}
