/** What the files of a run are made of: the run of this tab, or a kept one. */
import type { Catalog } from '../../../config/catalog';
import type { RunConfig } from '../../../config/config';
import { nameOf } from '../../../lib/run-names';
import type { KeptRun } from '../../../run/store/saved-run';
import type { ExportedRun } from '../../../presentation/run-files';
import { toDraw } from '../../state/run/drawings';
import type { TabRun } from '../../state/tab-run.svelte';
import type { TrainerClient } from '../../trainer/trainer-client';
import { text } from './text';

type Api = TrainerClient['api'];
type Tab = Pick<TabRun, 'run' | 'shown' | 'shareAddress' | 'addressOf'>;

/** The run of this tab, with all rollouts that are here. Rejects with a sentence if there is none. */
export async function ofTabRun(tabRun: Tab, api: Api | null, catalog: Catalog | null): Promise<ExportedRun> {
  const { run, shown } = tabRun;
  const { started, begun } = run;
  if (!api || !started || !begun || !catalog) throw new Error(text.noCurve);
  const kept = (await api.runs()).find(({ id }) => id === begun.id);
  return {
    name: kept ? nameOf(kept) : shown.nameOf(started.config),
    title: started.title,
    note: kept?.note ?? '',
    config: started.config,
    metrics: run.metrics,
    rollouts: run.rollouts,
    draw: drawer(api, started.config),
    fingerprint: run.fingerprint,
    configChanges: begun.configChanges,
    adapter: kept?.adapter ?? null,
    engineVersion: catalog.engineVersion,
    date: new Date(kept?.savedAtMs ?? Date.now()).toISOString(),
    link: await tabRun.shareAddress(),
  };
}

/** A kept run, with the rollouts that are kept of it. Rejects with a sentence if it is gone. */
export async function ofKept(tabRun: Pick<Tab, 'addressOf'>, api: Api | null, run: KeptRun): Promise<ExportedRun> {
  if (!api) throw new Error(text.noCurve);
  const { title, note, config, adapter = null, engineVersion = text.unknown, savedAtMs } = run;
  const { fingerprint = [], configChanges = [] } = run;
  return {
    ...(await api.runRecord(run.id)),
    draw: drawer(api, config),
    name: nameOf(run),
    title,
    note,
    config,
    fingerprint,
    configChanges,
    adapter,
    engineVersion,
    date: new Date(savedAtMs).toISOString(),
    link: await tabRun.addressOf(config),
  };
}

const drawer =
  (api: Api, config: RunConfig): ExportedRun['draw'] =>
  (rollouts) =>
    api.draw(rollouts.map(toDraw), config);
