/** Where the files of a run come from: the run of this tab, or a kept one. */
import type { KeptRun } from '../../worker/protocol';
import type { Lab } from '../lab/lab.svelte';
import { nameOf } from '../runs/run-names';
import type { ExportedRun } from './exported-run';
import { text } from './text';

/** The run of this tab, with all rollouts that are here. Rejects with a sentence if there is none. */
export async function ofLab(lab: Lab): Promise<ExportedRun> {
  const { api, run, shown, setup } = lab;
  const { started } = run;
  if (!api || !started || !setup.catalog) throw new Error(text.noCurve);
  const kept = (await api.runs()).find(({ id }) => id === run.begun?.id);
  return {
    name: kept ? nameOf(kept) : shown.nameOf(started.config),
    title: started.title,
    note: kept?.note ?? '',
    config: started.config,
    ...{ metrics: run.metrics, rollouts: run.rollouts, fingerprint: run.fingerprint },
    configChanges: run.begun?.configChanges ?? [],
    adapter: kept?.adapter ?? null,
    engineVersion: setup.catalog.engineVersion,
    date: new Date(kept?.savedAtMs ?? Date.now()).toISOString(),
    link: await lab.shareAddress(),
  };
}

/** A kept run, with the rollouts that are kept of it. Rejects with a sentence if it is gone. */
export async function ofKept(lab: Lab, run: KeptRun): Promise<ExportedRun> {
  const { api } = lab;
  if (!api) throw new Error(text.noCurve);
  const { title, note, config, adapter = null, engineVersion = text.unknown, savedAtMs } = run;
  const { fingerprint = [], configChanges = [] } = run;
  return {
    ...(await api.runRecord(run.id)),
    ...{ name: nameOf(run), title, note, config, fingerprint, configChanges, adapter, engineVersion },
    date: new Date(savedAtMs).toISOString(),
    link: `${location.href.split('#')[0]}#/lab?${await api.link(config)}`,
  };
}
