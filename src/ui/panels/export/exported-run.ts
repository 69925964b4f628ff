/** A run as its files carry it. */
import type { RunConfig } from '../../../config/config';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { text } from './text';

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

/** What the script of a replay reads: its words, the curve and some rollouts. */
export interface ReplayData {
  readonly words: typeof text.replay;
  readonly name: string;
  readonly title: string;
  readonly note: string;
  readonly link: string;
  readonly made: string;
  /** Step, success on unseen tasks, success in practice. */
  readonly points: readonly (readonly [number, number | null, number])[];
  /** Steps after which the setup changed. */
  readonly changes: readonly number[];
  readonly rollouts: readonly ReplayRollout[];
}

export interface ReplayRollout {
  readonly iteration: number;
  readonly reward: number;
  readonly success: boolean;
  readonly lines: readonly { readonly who: string; readonly text: string }[];
}
