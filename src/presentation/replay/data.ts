/** What a replay holds beside its markup. */
import type { curveBox } from '../../share/curve-svg';
import type { SceneElement } from '../../share/scenes/svg';
import type { text } from '../text';

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
