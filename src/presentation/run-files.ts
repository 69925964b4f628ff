/** A run as its files carry it. Pure. */
import type { Drawing } from '../agent/drawing';
import type { CardedRun } from '../config/model-card';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import { curveSvg } from '../share/curve-svg';
import { text } from './text';

/** Drawings of rollouts in their order; null where there are none. */
export type DrawMany = (rollouts: readonly RolloutView[]) => Promise<readonly Drawing[] | null>;

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

/** Everything but the rollouts. */
export function runJson({ rollouts: _rollouts, draw: _draw, ...run }: ExportedRun): string {
  return `${JSON.stringify({ format: 'agentlet-run', version: 1, ...run }, null, 1)}\n`;
}

/** A line a rollout: tokens, masks, log-probabilities and advantages as they were trained on. */
export const rolloutLines = ({ rollouts }: ExportedRun): string =>
  rollouts.map((rollout) => `${JSON.stringify(rollout)}\n`).join('');

/** Picture of its success curve. */
export const curveOf = (run: Pick<ExportedRun, 'name' | 'metrics' | 'configChanges'>): string =>
  curveSvg(text.curveTitle(run.name), run.metrics, run.configChanges);
