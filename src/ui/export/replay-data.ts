/** What the script of a replay reads: its words, the curve and some rollouts. */
import type { text } from './text';

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
