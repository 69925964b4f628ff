/** A run as its files carry it. */
import type { CardedRun } from '../../../config/model-card';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';

export interface ExportedRun extends CardedRun {
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
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
