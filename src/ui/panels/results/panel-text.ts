/** Sentences of the closed fold of the results; the others load with what is in it. */
import { withStop } from '../../../lib/sentences';

export const text = {
  title: 'Experiments',
  summary: 'configurations compared over several seeds',
  offline: 'a part of the page could not be loaded; is the connection gone?',
  loading: 'Loading the results…',
  problem: (reason: string) => `The results could not be shown: ${withStop(reason)}`,
} as const;
