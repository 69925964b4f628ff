/** Whether two configs are of one run: on another device it has other bits and is the same run still. */
import type { RunConfig } from '../../rl/config/config';
import { sameJson } from '../setup/config-path';

export const sameRun = (a: RunConfig | null, b: RunConfig | null): boolean =>
  sameJson({ ...a, device: null }, { ...b, device: null });
