/** An environment that is no preset's, trained in the terminal from its file: small enough for a software GPU. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunConfig } from '../../../src/config/config';

const root = join(import.meta.dirname, '../../..');
/** It shares no reward term and no option with any preset. */
export const shopFile = join(root, 'tests/helpers/shop.js');

/** Steps of reinforcement in the shop's run. */
export const steps = 6;
const shopSettings = {
  steps,
  seed: 5,
  layers: 1,
  width: 64,
  ff: 64,
  demos: 500,
  warm: 45,
  warmBatch: 64,
  warmLr: 0.01,
  lr: 0.0015,
  warmup: 0,
  tasks: 4,
  group: 8,
  mini: 1,
  evalTasks: 64,
  evalEvery: 1,
};

export interface TerminalRun {
  /** What follows `#/lab?`. */
  readonly link: string;
  /** Success on unseen tasks after the warm start and at the end. */
  readonly success: { readonly warm: number; readonly end: number };
  readonly adapter: string;
  readonly config: RunConfig;
}

/** How the shop is trained: its file and the flags of `npm run train`. */
export const shopTraining: readonly string[] = [
  shopFile,
  ...Object.entries(shopSettings).flatMap(([key, value]) => ['--set', `${key}=${value}`]),
];

/**
 * Runs `npm run train`.
 *
 * @param folder for the run's files
 * @param training an environment's file and the flags of `npm run train`
 */
export async function trainInTerminal(
  folder: string,
  training = shopTraining,
  environment: NodeJS.ProcessEnv = {},
): Promise<TerminalRun> {
  const command = ['src/cli/main.mjs', 'train', ...training, '--out', folder, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...environment },
  });
  const { success, adapter } = JSON.parse(stdout) as Pick<TerminalRun, 'success' | 'adapter'>;
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const { config } = JSON.parse(read('run.json')) as Pick<TerminalRun, 'config'>;
  return { link: read('link.txt').trim(), success, adapter, config };
}
