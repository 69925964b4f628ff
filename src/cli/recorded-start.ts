/**
 * Recorded warm starts of presets. A clone has all of them. A package has room for the smaller ones: it imitates the
 * others again when they are asked for, on the CPU, whose bits are the same everywhere, and keeps them for the user.
 */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { presetByName } from '../config/presets';
import { engineVersion } from '../config/run-link';
import type { Device } from '../device/device';
import { quietHooks as silentHooks } from '../library/engine';
import { readSafetensors } from '../lib/safetensors';
import { writeRecordedStart } from '../rl/learner/recorded-start';
import { warmUp } from '../rl/run';
import { Trainer, type TrainerHooks } from '../rl/trainer';
import { openDevice, openSandbox } from './engine';
import { commandLine, recordedStartFile, remadeStarts } from './place';
import { ProgressBar } from './progress';
import { makeFolder, replaceFile } from './safe-files';
import { say } from './terminal';

/** A preset's recorded warm start. Rejects with a sentence if there is none. */
export async function readRecordedStart(preset: string): Promise<Uint8Array> {
  const path = recordedStartFile(preset);
  if (existsSync(path)) return readFileSync(path);
  const digest = remadeStarts()[preset];
  const again = commandLine('record', [preset, '--warm-start']);
  if (digest === undefined) throw new Error(`There is no recorded warm start at ${path}: make it with ${again}.`);
  return remadeStart(preset, digest);
}

/** Never pauses and reports nothing. */
export const quietHooks: TrainerHooks = { ...silentHooks, readRecordedStart };

/** @param digest of the weights that were recorded; the file of a cache that holds others is replaced */
async function remadeStart(preset: string, digest: string): Promise<Uint8Array> {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agentlet', engineVersion);
  const path = join(folder, `${preset}.safetensors`);
  const kept = existsSync(path) ? readFileSync(path) : null;
  if (kept && digestOf(kept) === digest) return kept;
  say(`The package has no room for the warm start of ${preset}: it is made here once, on the CPU.\n`);
  const device = await openDevice('cpu');
  try {
    const { config } = presetByName(preset);
    const command = commandLine('record', [preset, '--warm-start']);
    const file = await imitatedStart(device, config, environmentSource(config), command);
    if (digestOf(file) !== digest)
      throw new Error(
        `The warm start of ${preset} that was made here is not the recorded one. ` +
          `Add --set warmStart.recorded=false to train from it all the same.`,
      );
    keep(folder, path, file);
    return file;
  } finally {
    device.destroy();
  }
}

/** The digest that a file names; null if the file cannot be read. Who loads it compares the weights with it. */
function digestOf(file: Uint8Array): string | null {
  try {
    return readSafetensors(file).metadata.digest ?? null;
  } catch {
    return null;
  }
}

function keep(folder: string, path: string, file: Uint8Array): void {
  try {
    makeFolder(folder);
    replaceFile(path, file);
  } catch (error) {
    say(`The warm start is not kept for the next time. ${(error as Error).message}\n`);
  }
}

/** @returns the file of a warm start that is made here */
export async function imitatedStart(
  device: Device,
  given: RunConfig,
  source: string,
  command: string,
): Promise<Uint8Array> {
  const config = { ...given, warmStart: { ...given.warmStart, recorded: false } };
  const bar = new ProgressBar('Warm start', config.warmStart.steps);
  const onProgress = (phase: string, done: number) => phase === 'warm-start' && bar.update(done);
  const trainer = await Trainer.create(device, await openSandbox(), config, source, { ...quietHooks, onProgress });
  await warmUp(trainer);
  const record = {
    config: trainer.setup.savedConfig,
    adapter: device.adapter.name,
    date: new Date().toISOString(),
    command,
  };
  return writeRecordedStart(trainer.store, trainer.setup.model.tokenizer, record);
}
