/** A run as its files carry it. */
import type { CardedRun } from '../../../config/model-card';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { curveBox } from '../../../share/curve-svg';
import type { SceneElement } from '../../../share/scenes/svg';
import type { DrawMany } from '../../view/scenes/drawing-source';
import type { text } from './text';

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
