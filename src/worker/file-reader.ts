/** Messages between the page and the worker that reads files which a visitor opens; types only. */
import type { Results } from '../share/results';
import type { RolloutFileHead, ShownRollout } from './opened-rollouts';

export interface FileReaderApi {
  /** Opens a file of another trainer's rollouts, in place of any other. Rejects with a sentence. */
  openRollouts(file: File): Promise<RolloutFileHead>;
  /** A rollout of the open file with its group. @param weights of the file's terms @param index in its step */
  showRollout(step: number, weights: readonly number[], index: number): Promise<ShownRollout>;
  /** Reads a table of results. Rejects with a sentence. */
  readResults(file: File): Promise<Results>;
}
