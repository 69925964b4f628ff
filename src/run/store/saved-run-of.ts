/** Makes the record of a run from its spec and its session. */
import { engineVersion } from '../../config/run-link';
import { titleOfRun } from '../../config/run-title';
import type { RunSpec } from '../run-parts';
import type { Session } from '../session';
import type { SavedRun } from './saved-run';

export function savedRunOf({ id, config, parent, configChanges }: RunSpec, { device, trainer }: Session): SavedRun {
  const { warmSteps, iteration, fingerprint } = trainer.progress;
  return {
    id,
    config,
    title: titleOfRun(config, trainer.setup.description.title),
    savedAtMs: Date.now(),
    iteration,
    warmSteps,
    finished: iteration === config.iterations,
    fingerprint: [...fingerprint],
    engineVersion,
    adapter: device.adapter.name,
    ...(parent !== undefined && { parent }),
    ...(configChanges && { configChanges }),
  };
}
