/** The weights of this tab's run as a safetensors file. */
import { download } from '../../base/download';
import type { TrainerClient } from '../../trainer/trainer-client';
import type { LiveRun } from './live-run.svelte';

/** Rejects with a sentence. @param name of the file, before the step and the ending */
export async function saveCheckpointFile(api: TrainerClient['api'], run: LiveRun, name: string): Promise<void> {
  const { begun, iteration } = run;
  const bytes = await api.checkpoint();
  download(`${name}-${iteration}.safetensors`, new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
  // Another run may have begun meanwhile.
  if (begun === run.begun) run.savedAt = iteration;
}
