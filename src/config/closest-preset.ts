/** Which preset a config is like. Pure. */
import { sameJson } from '../lib/same-json';
import type { PresetInfo } from './catalog';
import type { RunConfig } from './config';

/** The preset whose environment a run of this config is in, options and all. */
export function presetOf({ environment }: RunConfig, presets: readonly PresetInfo[]): PresetInfo | null {
  return presets.find((preset) => sameJson(preset.config.environment, environment)) ?? null;
}

/** The first preset with the same environment and options, else with the same environment, else the first of all. */
export function closestPreset(config: RunConfig, presets: readonly PresetInfo[]): PresetInfo | null {
  const sameName = presets.find((preset) => preset.config.environment.name === config.environment.name);
  return presetOf(config, presets) ?? sameName ?? presets.at(0) ?? null;
}
