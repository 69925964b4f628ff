/** A run as its files carry it. */
import type { RunConfig } from '../../rl/config/config';
import type { Metrics } from '../../rl/report';
import type { RolloutView } from '../../rl/rollouts/view';

export interface ExportedRun {
  readonly name: string;
  /** Title of its environment. */
  readonly title: string;
  readonly note: string;
  readonly config: RunConfig;
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  readonly fingerprint: readonly string[];
  /** Iterations after which its config changed. */
  readonly configChanges: readonly number[];
  /** What it was trained on, where that is known. */
  readonly adapter: string | null;
  readonly engineVersion: string;
  /** ISO 8601. */
  readonly date: string;
  /** Opens its setup on the page. */
  readonly link: string;
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
