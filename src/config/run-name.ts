/** What the files of a run are called, so that a folder of them can be told apart. */
import type { Catalog } from './catalog';
import type { RunConfig } from './config';
import { sameJson } from '../lib/same-json';

const maxSlugLength = 40;

/**
 * `agentlet-<task>-<seed>`: the task is the preset with this environment, else the title of the environment that came
 * with the run.
 * @param title of the run's environment, where it is known
 */
export function runName(config: RunConfig, title: string, catalog: Catalog | null): string {
  return `agentlet-${presetOf(config, catalog) ?? slug(title)}-${config.seed}`;
}

/** The preset with this environment and its options, else the first with this environment. */
function presetOf({ environment }: RunConfig, catalog: Catalog | null): string | undefined {
  if (environment.source !== undefined) return undefined;
  const alike = catalog?.presets.filter(({ config }) => config.environment.name === environment.name) ?? [];
  return (alike.find(({ config }) => sameJson(config.environment, environment)) ?? alike[0])?.name;
}

function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength);
  return words.replace(/^-|-$/g, '') || 'run';
}

/** Whether two configs are of one run: on another device it has other bits and is the same run still. */
export const sameRun = (a: RunConfig | null, b: RunConfig | null): boolean =>
  sameJson({ ...a, device: null }, { ...b, device: null });
