/**
 * Recorded warm starts: a preset's weights after imitation, in `public/checkpoints/<preset>.safetensors`, written by
 * `npm run record -- <preset> --warm-start`. Every warm start ends by rounding its weights to half precision, so the
 * file loses nothing: imitating again on the same device with the same seed gives the same bits.
 */
import { quoted } from '../../lib/plain-text';
import { sha256 } from '../../lib/sha256';
import { allFinite } from '../../model/not-finite';
import type { ParameterSpec, ParameterStore } from '../../model/parameters';
import { readSafetensors, writeSafetensors, type SafetensorsFile } from '../../lib/safetensors';
import type { Tokenizer } from '../../text/tokenizer';
import type { RunConfig } from '../../config/config';
import { presets } from '../../config/presets';
import { engineVersion } from '../../config/run-link';

/** How the file was made. */
export interface StartRecord {
  readonly config: RunConfig;
  readonly adapter: string;
  /** ISO date. */
  readonly date: string;
  readonly command: string;
}

/** Name of the preset whose recorded warm start a config begins from; null if it imitates here or not at all. */
export function recordedPreset(config: RunConfig): string | null {
  const { warmStart, optimizer, environment } = config;
  // A recording has no AdamW moments, so it fits only where reinforcement begins without.
  if (!warmStart.recorded || !optimizer.fresh || environment.source !== undefined) return null;
  return presets.find((preset) => dependencies(preset.config) === dependencies(config))?.name ?? null;
}

/** How a run gets its first weights. */
export function warmStartKind(config: RunConfig): 'recorded' | 'trained' | 'none' {
  const { demonstrations, steps } = config.warmStart;
  if (demonstrations === 0 || steps === 0) return 'none';
  return recordedPreset(config) === null ? 'trained' : 'recorded';
}

/** Everything that the weights depend on, except the seed. */
function dependencies({ environment, model, text, context, warmStart }: RunConfig): string {
  const { recorded: _recorded, ...imitation } = warmStart;
  return canonical({ environment, model, text, context, warmStart: imitation });
}

/** JSON with sorted keys: links and files write options in their own order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** @param store weights that a warm start has rounded to half precision */
export async function writeRecordedStart(
  store: ParameterStore,
  tokenizer: Tokenizer,
  { config, adapter, date, command }: StartRecord,
): Promise<Uint8Array<ArrayBuffer>> {
  const numbers = await store.read(store.value);
  const tensors = new Map(store.specs.map(({ name, shape }) => [`model.${name}`, { shape, data: numbers.get(name)! }]));
  const metadata = {
    format: 'agentlet-warm-start',
    engineVersion,
    config: JSON.stringify(config),
    seed: String(config.seed),
    tokenizer: JSON.stringify(tokenizer.toJson()),
    adapter,
    date,
    command,
    digest: await weightsDigest(tensors),
  };
  return writeSafetensors({ tensors, metadata }, 'F16');
}

/** Writes recorded weights into a store. @throws a sentence if the file is not the start of this model and tokenizer */
export async function loadRecordedStart(file: Uint8Array, store: ParameterStore, tokenizer: Tokenizer): Promise<void> {
  const { tensors, metadata } = readSafetensors(file);
  const fault = metadataFault(metadata, await weightsDigest(tensors), tokenizer) ?? weightsFault(tensors, store.specs);
  if (fault !== null)
    throw new Error(
      `The recorded warm start cannot be used: ${fault}. Switch "Recorded warm start" off to imitate here instead.`,
    );
  store.write(store.value, new Map(store.specs.map(({ name }) => [name, tensors.get(`model.${name}`)!.data])));
}

function metadataFault(metadata: SafetensorsFile['metadata'], digest: string, tokenizer: Tokenizer): string | null {
  if (metadata.format !== 'agentlet-warm-start') return 'the file is no recorded warm start';
  if (metadata.digest !== digest) return 'its weights are not those that its digest names';
  if (metadata.tokenizer !== JSON.stringify(tokenizer.toJson())) return 'it was made with another tokenizer';
  return null;
}

function weightsFault(tensors: SafetensorsFile['tensors'], specs: readonly ParameterSpec[]): string | null {
  for (const { name, shape } of specs) {
    const found = tensors.get(`model.${name}`);
    if (found?.shape.join() !== shape.join()) return `it has no ${name} of shape ${shape.join(' × ')}`;
  }
  for (const [name, { data }] of tensors)
    if (!allFinite(data)) return `${quoted(name)} holds numbers that are not finite`;
  return null;
}

/** SHA-256 of all weights as float32, one tensor after another. */
async function weightsDigest(tensors: SafetensorsFile['tensors']): Promise<string> {
  const parts = [...tensors.values()].map(({ data }) => data as Float32Array<ArrayBuffer>);
  return sha256(await new Blob(parts).arrayBuffer());
}
