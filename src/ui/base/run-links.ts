/** Links of configs, without a trainer. Their code comes with every preset and environment: fetched at first use. */
import { loadProblem } from './version';
import { text } from './text';

export type RunLinks = Pick<typeof import('../../config/run-link'), 'addressOf' | 'openRunLink' | 'runLink'>;

/** Rejects with a sentence if the code cannot be fetched. */
export const runLinks = (): Promise<RunLinks> =>
  import('../../config/run-link').catch(async () => {
    throw new Error((await loadProblem(text.codeMissing)).sentence);
  });
