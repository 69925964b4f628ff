import type { HistoryState } from '../history';

/** Everything needed to continue a run and to show it as it was. */
export interface RunSnapshot {
  /** A checkpoint file. */
  readonly checkpoint: Uint8Array<ArrayBuffer>;
  readonly history: HistoryState;
}
