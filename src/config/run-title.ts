/** What a run is called: by its preset, since two presets may have one environment under different options. */
import { sameJson } from '../lib/same-json';
import type { RunConfig } from './config';
import { presets } from './presets';

/** @param title of its environment, for a run in the world of no preset */
export function titleOfRun({ environment }: RunConfig, title: string): string {
  return presets.find(({ config }) => sameJson(config.environment, environment))?.title ?? title;
}
