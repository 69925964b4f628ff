/**
 * `record <preset>`: runs a preset for real and writes what the page replays on a first visit. Numbers are rounded to four
 * digits to keep the file small; nothing else is changed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metrics, RolloutView } from '../rl/metrics';
import { environmentSource } from '../rl/environment-source';
import { presetByName } from '../rl/presets';
import { engineVersion } from '../rl/run-link';
import { Trainer } from '../rl/trainer';
import type { Recording } from '../share/recording';
import { specialIds, vocabularyOf } from '../text/tokenizer';
import { parseCommand, type CommandSpec } from './args';
import { openDevice, openSandbox, quietHooks } from './engine';
import { Progress } from './progress';

const flags = {
  out: { kind: 'text', help: 'folder for <preset>.json (default: public/recordings)', value: 'DIR' },
  seed: { kind: 'integer', help: 'seed of the run (default: the preset’s)', min: 0 },
} as const;
const spec: CommandSpec<typeof flags> = { name: 'record', positionals: '<preset>', count: { min: 1, max: 1 }, flags };

/** Moments of the run whose first group is kept: all of it, so that what compares inside a group can be computed again. */
const moments = 9;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const preset = presetByName(parsed.positionals[0]);
  const config = { ...preset.config, seed: parsed.flags.seed ?? preset.config.seed };
  const device = await openDevice();
  const bar = new Progress('Recording', config.iterations);
  const startMs = performance.now();
  const trainer = await Trainer.create(device, await openSandbox(), config, environmentSource(config), quietHooks);
  await trainer.warmStart();
  const metrics: Metrics[] = [];
  const rollouts: RolloutView[] = [];
  const gap = Math.max(1, Math.floor((config.iterations - 1) / (moments - 1)));
  while (trainer.progress.iteration < config.iterations) {
    const result = await trainer.iterate();
    metrics.push(result.metrics);
    const isMoment = (result.metrics.iteration - 1) % gap === 0 || result.metrics.iteration === config.iterations;
    if (isMoment) rollouts.push(...result.rollouts.filter(({ group }) => group === result.rollouts[0].group));
    bar.update(result.metrics.iteration, `success ${(100 * result.metrics.success).toFixed(0)} %`);
  }
  const recording: Recording<typeof config, Metrics, RolloutView> = {
    format: 1,
    engineVersion,
    preset: preset.name,
    config,
    adapter: device.adapter.name,
    date: new Date().toISOString(),
    command: `npm run record -- ${args.join(' ')}`,
    seconds: Math.round((performance.now() - startMs) / 1000),
    vocabulary: vocabularyOf(trainer.stage.tokenizer),
    specialTokens: specialIds,
    parameters: trainer.parameters,
    fingerprint: trainer.progress.fingerprint,
    metrics,
    rollouts,
  };
  const folder = parsed.flags.out ?? join('public', 'recordings');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${preset.name}.json`);
  writeFileSync(path, `${JSON.stringify(recording, shorten)}\n`);
  process.stderr.write(`Wrote ${path}.\n`);
  device.destroy();
  return 0;
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}
