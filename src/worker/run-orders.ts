/** Orders that begin a run: a new one, and one that goes on from a state of another. */
import { parseConfig, type RunConfig } from '../rl/config/config';
import type { OpenedLink } from '../rl/config/run-link';
import type { RunOrder } from './run-parts';
import type { RunSnapshot } from './run-snapshot';

/** The run from a state of which another begins. */
export type Parent = Pick<RunOrder, 'id' | 'configChanges'>;

export function newOrder(config: RunConfig, author: OpenedLink | null): RunOrder {
  return { id: crypto.randomUUID(), config: parseConfig(config), author, snapshot: null };
}

/** @param changedAfter the parent's iteration after which the config is another; null if the run only becomes longer */
export function onwardOrder(
  config: RunConfig,
  { id: parent, configChanges: before }: Parent,
  snapshot: RunSnapshot,
  changedAfter: number | null,
): RunOrder {
  const configChanges =
    changedAfter === null ? before : [...(before ?? []).filter((each) => each < changedAfter), changedAfter];
  return { id: crypto.randomUUID(), config, author: null, snapshot, parent, configChanges };
}
