/** A row of results opens in the Lab with the config that the experiment trained. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseConfig, readExperiment, rowConfig as trained, type ExperimentFile } from '../../src/cli/experiment/plan';
import { addressOf, openRunLink } from '../../src/rl/config/run-link';
import { presetByName, presets } from '../../src/rl/config/presets';
import { readResults, type Results } from '../../src/share/results';
import { rowConfig } from '../../src/ui/results/row-config';
import { text } from '../../src/ui/results/text';
import { catalogOf } from '../helpers/catalog';
import { sampleResults } from '../helpers/results';

const files = import.meta.glob<ExperimentFile>('../../src/cli/experiments/*.ts', { eager: true, import: 'experiment' });
const here = { presets: catalogOf(...presets.map(({ name }) => name)).presets, cpu: 'CPU (WebAssembly SIMD)' };
const folder = join(import.meta.dirname, '../../public/results');

const shipped = (name: string): Results => readResults(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));
const configsOf = (results: Results) =>
  results.rows.flatMap((row) =>
    row.seeds.map(({ seed }) => ({ row: row.name, seed, config: rowConfig(results, row, seed, here) })),
  );

test.each(Object.values(files).map((file) => [file.name, file] as const))(
  'each row and seed of %s opens with its own config, as the CPU trained it',
  async (name, file) => {
    const experiment = readExperiment(file);
    const base = presetByName(experiment.base).config;
    const results = shipped(name);
    const whole = { ...results, config: baseConfig(experiment, base) };
    const rowOf = (named: string) => experiment.rows.find((row) => row.name === named)!;
    for (const table of [results, whole])
      for (const { row, seed, config } of configsOf(table)) {
        if (typeof config === 'string') {
          expect(rowOf(row).kind, `${row}: ${config}`).not.toBe('train');
          continue;
        }
        expect(rowOf(row).kind, row).toBe('train');
        expect(config, row).toEqual({ ...trained(experiment, base, rowOf(row), seed), device: 'cpu' });
        expect((await openRunLink(await addressOf(config))).config, row).toEqual(config);
      }
  },
);

test('a row says why it has no config', () => {
  const methods = shipped('methods');
  const why = (name: string) =>
    rowConfig(
      methods,
      methods.rows.find((row) => row.name === name)!,
      1,
      here,
    ) as unknown as string;
  expect(why('naive-rag')).toBe(text.open.script);
  expect(why('warm')).toBe(text.open.warmStart);
  expect(why('best-of-8')).toBe(text.open.warmStart);
  expect(why('expert')).toBe(text.open.imitates);
  const grpo = methods.rows.find((row) => row.name === 'grpo')!;
  expect(rowConfig({ ...methods, base: 'mine.js' }, grpo, 1, here)).toBe(text.open.unknownBase('mine.js'));
  const changes = [{ path: 'iterations', from: 31, to: 20 }];
  expect(rowConfig({ ...methods, changes }, grpo, 1, here), 'the preset has changed since').toBe(
    text.open.unknownBase('multi-hop'),
  );
  const seeds = [{ ...grpo.seeds[0], fingerprint: [], failure: 'It was not finite.' }];
  expect(rowConfig(methods, { ...grpo, seeds }, 1, here)).toBe(text.open.failed);
});

test('an option’s name may hold a dot, and a run of a GPU keeps its device', () => {
  const base = { ...presetByName('multi-hop').config, rewards: { 'a.b': 1 } };
  const changes = [{ path: 'rewards.a.b', from: 1, to: 2 }];
  const [, row] = sampleResults.rows;
  const results = { ...sampleResults, config: base };
  expect(rowConfig(results, { ...row, changes }, 2, here)).toEqual({ ...base, seed: 2, rewards: { 'a.b': 2 } });
});
