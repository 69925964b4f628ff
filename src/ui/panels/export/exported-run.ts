/** A run as its files carry it: the run of this tab, or a kept one. */
import type { Catalog } from '../../../config/catalog';
import type { RunConfig } from '../../../config/config';
import type { CardedRun } from '../../../config/model-card';
import { nameOf } from '../../../lib/run-names';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { KeptRun } from '../../../run/store/saved-run';
import type { curveBox } from '../../../share/curve-svg';
import type { SceneElement } from '../../../share/scenes/svg';
import { toDraw } from '../../state/run/drawings';
import type { TabRun } from '../../state/tab-run.svelte';
import type { TrainerClient } from '../../trainer/trainer-client';
import type { DrawMany } from '../../view/scenes/drawings';
import { text } from './text';

export interface ExportedRun extends CardedRun {
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  /** Drawings of some of them; null if its world draws none. */
  readonly draw: DrawMany;
  /** ISO 8601. */
  readonly date: string;
}

/** What its files are called, without the ending. */
export function fileNameOf({ name, metrics }: Pick<ExportedRun, 'name' | 'metrics'>): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${slug || 'run'}-${metrics.at(-1)?.iteration ?? 0}`;
}

type Api = TrainerClient['api'];

/** The run of this tab, with all rollouts that are here. Rejects with a sentence if there is none. */
export async function ofTabRun(tabRun: TabRun, api: Api | null, catalog: Catalog | null): Promise<ExportedRun> {
  const { run, shown } = tabRun;
  const { started } = run;
  if (!api || !started || !catalog) throw new Error(text.noCurve);
  const kept = (await api.runs()).find(({ id }) => id === run.begun?.id);
  return {
    name: kept ? nameOf(kept) : shown.nameOf(started.config),
    title: started.title,
    note: kept?.note ?? '',
    config: started.config,
    metrics: run.metrics,
    rollouts: run.rollouts,
    draw: drawer(api, started.config),
    fingerprint: run.fingerprint,
    configChanges: run.begun?.configChanges ?? [],
    adapter: kept?.adapter ?? null,
    engineVersion: catalog.engineVersion,
    date: new Date(kept?.savedAtMs ?? Date.now()).toISOString(),
    link: await tabRun.shareAddress(),
  };
}

/** A kept run, with the rollouts that are kept of it. Rejects with a sentence if it is gone. */
export async function ofKept(tabRun: TabRun, api: Api | null, run: KeptRun): Promise<ExportedRun> {
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

/** What the script of a replay reads. */
export interface ReplayData {
  readonly words: Pick<(typeof text)['replay'], 'step' | 'unseen' | 'practice' | 'empty' | 'play' | 'pause' | 'turn'>;
  /** Iteration, success on unseen tasks, success in practice. */
  readonly points: readonly (readonly [number, number | null, number])[];
  readonly box: typeof curveBox;
  /** What its drawings are made of: many scenes share most of it. */
  readonly elements: readonly SceneElement[];
  /** By the place of a rollout among all that are shown. */
  readonly drawings: Readonly<Record<number, ReplayDrawing>>;
}

export interface ReplayDrawing {
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly {
    readonly words: string;
    /** Places of its elements. */
    readonly of: readonly number[];
  }[];
}
