/** What the page's state takes from the page; its tests give it something else. */
import type { Catalog } from '../../config/catalog';
import type { StartTrainer } from '../trainer/trainer-client';

export interface Surroundings {
  /** Shows finished runs instead of playing them, for people who asked for less motion. */
  readonly still: boolean;
  readonly recordingsUrl: string;
  readonly firstPreset: string;
  /** Rejects with a sentence; the next call tries again. */
  readonly readCatalog: () => Promise<Catalog>;
  readonly startTrainer: StartTrainer;
}
