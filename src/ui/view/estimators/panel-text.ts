/** Sentences of the closed fold of the comparison; the others load with what is in it. */
import { withStop } from '../../../lib/sentences';

export const text = {
  title: 'Compare estimators',
  summary: 'how every algorithm would credit this group',
  loading: 'Comparing…',
  problem: (reason: string) => `The estimators could not be compared: ${withStop(reason)}`,
  again: 'Try again',
  offline: 'a part of the page could not be loaded; is the connection gone?',
  file: 'Rollouts of another trainer',
  fileHint: 'JSON or JSON lines of TRL, verl or UNIPO, up to 20 MB. You can also drop the file here.',
} as const;
