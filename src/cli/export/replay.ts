/** `--to html`: a run's folder as the page that replays it from a disk. */
import { writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { EnvironmentClient } from '../../agent/environment-client';
import { maxRunName, plainText } from '../../lib/plain-text';
import { replayPage } from '../../presentation/replay/page';
import { readCheckpointHead } from '../../rl/checkpoint';
import { drawRollouts } from '../../rl/diagnostics/drawn-rollouts';
import type { RolloutView } from '../../rl/rollouts/view';
import { openSandbox } from '../engine';
import { openHostTools } from '../host-tools/tools';
import { RunFolder } from '../run-folder';

/** @throws a sentence if the folder holds no run, or its world cannot be loaded */
export async function writeReplay(path: string, rollouts: Iterable<RolloutView>, out: string): Promise<void> {
  const folder = new RunFolder(path);
  const { adapter, engineVersion, date } = folder.readRecord();
  const { config, source, progress } = readCheckpointHead(folder.readCheckpoint());
  const sandbox = await openSandbox(await openHostTools(undefined, path));
  await sandbox.load(source, config.environment.rows);
  const description = await new EnvironmentClient(sandbox).describe();
  const page = await replayPage({
    name: plainText(basename(resolve(path)), maxRunName),
    title: description.title,
    note: '',
    config,
    metrics: folder.readMetrics(),
    rollouts: [...rollouts],
    draw: (shown) => drawRollouts({ config, description, sandbox }, shown),
    fingerprint: progress.fingerprint,
    configChanges: [],
    adapter,
    engineVersion,
    date,
    link: null,
  });
  writeFileSync(out, page, { flag: 'wx' });
}
