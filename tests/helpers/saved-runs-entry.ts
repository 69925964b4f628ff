/** What saved-runs.full.test.ts loads into the page: the trainer worker's storage, on a database of the test's own. */
import { SavedRuns } from '../../src/run/store/saved-runs';
import { strictStore } from '../../src/run/store/strict-store';

export const store = strictStore('runs of a test');
export const saved = new SavedRuns(store);
