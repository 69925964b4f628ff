/** Specs of runs: a new run, and a run that continues from another run's state. */
import { parseConfig, type RunConfig } from '../config/config';
import type { OpenedLink } from '../config/run-link';
import type { RunSpec } from './run-parts';
import type { RunSnapshot } from './store/run-snapshot';

/** The run that another continues from. */
export type Parent = Pick<RunSpec, 'id' | 'configChanges'>;

export function newSpec(config: RunConfig, author: OpenedLink | null): RunSpec {
  return { id: crypto.randomUUID(), config: parseConfig(config), author, snapshot: null };
}

/** @param changedAfter last iteration under the parent's config; null if only the number of iterations differs */
export function onwardSpec(
  config: RunConfig,
  { id: parent, configChanges: before }: Parent,
  snapshot: RunSnapshot,
  changedAfter: number | null,
): RunSpec {
  const configChanges =
    changedAfter === null ? before : [...(before ?? []).filter((each) => each < changedAfter), changedAfter];
  return { id: crypto.randomUUID(), config, author: null, snapshot, parent, configChanges };
}
