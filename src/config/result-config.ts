/** The config of a row of results and of one of its seeds, as the experiment trained it. Pure. */
import * as v from 'valibot';
import { RunConfigSchema, type RunConfig } from './config';
import { isScript } from '../share/interval';
import type { ResultRow, Results, SeedResult } from '../share/results';
import type { PresetInfo } from './catalog';
import { pathOf, valueAt, withValue } from './edit';

export interface Here {
  readonly presets: readonly PresetInfo[];
  /** Name of the CPU device; null while it is unknown. */
  readonly cpu: string | null;
}

/** Why a row has no config: the run was not trained by reinforcement, or its base config is another one here. */
export type WithoutConfig = 'script' | 'warmStart' | 'failed' | 'imitates' | 'unknownBase';

/**
 * What the Lab has to train to make this run again, or why it cannot. On the CPU a run reproduces exactly,
 * so one that was made there opens there.
 */
export function rowConfig(
  results: Results,
  row: ResultRow,
  seed: number,
  { presets, cpu }: Here,
): RunConfig | WithoutConfig {
  if (isScript(row)) return 'script';
  const result = row.seeds.find((each) => each.seed === seed);
  // Only reinforcement has a fingerprint.
  if (!result || result.fingerprint.length === 0) return whyNotReinforced(result);
  const base = results.config ?? presetWith(results, presets);
  const config = base && withChanges(base, row.changes);
  if (!config) return 'unknownBase';
  const onCpu = results.adapters.length === 1 && results.adapters[0] === cpu;
  // Fields that came after the table was made have their defaults.
  const whole = v.safeParse(RunConfigSchema, { ...config, seed, ...(onCpu && { device: 'cpu' }) });
  return whole.success ? whole.output : 'unknownBase';
}

function whyNotReinforced(result: SeedResult | undefined): WithoutConfig {
  if (result && result.failure !== null) return 'failed';
  return result && result.curves.success.length > 0 ? 'imitates' : 'warmStart';
}

function presetWith({ base, changes }: Results, presets: readonly PresetInfo[]): object | null {
  const preset = presets.find(({ name }) => name === base);
  return preset ? withChanges(preset.config, changes) : null;
}

/** Null if the config is not the one that the changes were made to. */
function withChanges(config: object, changes: ResultRow['changes']): object | null {
  let changed = config;
  for (const { path: dotted, from, to } of changes) {
    const path = pathOf(dotted);
    if ((valueAt(changed, path) ?? null) !== from) return null;
    changed = withValue(changed, path, to ?? undefined);
  }
  return changed;
}
