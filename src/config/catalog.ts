/**
 * What the page offers before anything has run: presets with their environments, settings, algorithms and models.
 */
import type { EnvironmentDescription } from '../agent/env';
import type { AlgorithmDefaults } from '../algorithms/algorithm';
import { aboutAlgorithms, type AlgorithmInfo, type AlgorithmName } from '../algorithms/table';
import type { RunConfig } from './config';
import { environmentSource } from './environment-source';
import { adapterFields, configFields, type Field } from './fields';
import { modelPresets, presets } from './presets';
import { engineVersion } from './run-link';
import { allDefaults } from './with-algorithm';

export interface PresetInfo {
  readonly name: string;
  readonly title: string;
  readonly config: RunConfig;
  readonly environment: EnvironmentDescription;
}

export interface Catalog {
  readonly engineVersion: string;
  readonly presets: readonly PresetInfo[];
  readonly modelPresets: readonly { readonly name: string; readonly model: RunConfig['model'] }[];
  /** Those of an adapter come last. */
  readonly fields: readonly Field[];
  /** Settings that a config takes when it is switched to an algorithm. */
  readonly algorithms: Readonly<Record<AlgorithmName, AlgorithmDefaults>>;
  readonly aboutAlgorithms: Readonly<Record<AlgorithmName, AlgorithmInfo>>;
}

/** Rejects if an environment cannot be described. @param describe runs a module, given its source */
export async function makeCatalog(describe: (source: string) => Promise<EnvironmentDescription>): Promise<Catalog> {
  const infos: PresetInfo[] = [];
  for (const preset of presets)
    infos.push({ ...preset, environment: await describe(environmentSource(preset.config)) });
  return {
    engineVersion,
    modelPresets,
    fields: [...configFields(), ...adapterFields()],
    algorithms: allDefaults(),
    aboutAlgorithms: aboutAlgorithms(),
    presets: infos,
  };
}
