/** Drawings of the answers in each preset's recording, made in a sandbox when the page is built. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Drawing } from '../../agent/drawing';
import { EnvironmentClient } from '../../agent/environment-client';
import type { RunConfig } from '../../config/config';
import { environmentSource } from '../../config/environment-source';
import { sdkSource } from '../../environments/built-in';
import { drawRollouts } from '../../rl/diagnostics/drawn-rollouts';
import type { Metrics } from '../../rl/report';
import type { RolloutView } from '../../rl/rollouts/view';
import { LocalSandbox } from '../../sandbox/local-sandbox';
import { readRecording } from '../../share/recording';
import { packRecording, type RecordingFile } from '../../share/recording-file';
import { compileQuickJs } from '../quickjs';

/** Preset → its file. Presets whose world draws none are left out. */
export async function worldScenes(folder: string): Promise<Map<string, RecordingFile>> {
  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  const files = new Map<string, RecordingFile>();
  for (const file of readdirSync(folder)) {
    const json: unknown = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const { preset, config, answers } = readRecording<RunConfig, Metrics, RolloutView>(json);
    await sandbox.load(environmentSource(config), config.environment.rows);
    const description = await new EnvironmentClient(sandbox).describe();
    const drawings: Drawing[][] = [];
    for (const checkpoints of answers) {
      const drawn = await drawRollouts({ config, description, sandbox }, checkpoints);
      if (drawn) drawings.push(drawn);
    }
    if (drawings.length > 0) files.set(preset, packRecording({ answers: drawings }));
  }
  return files;
}
