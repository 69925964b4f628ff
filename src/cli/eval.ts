/** `eval <checkpoint>`: greedy success of a saved agent on held-out tasks, beside the environment's scripted policies. It trains nothing and writes nothing. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Split } from '../agent/environment-client';
import { readCheckpointHead, restoreCheckpoint } from '../rl/checkpoint';
import { Evaluation, solvedByCalls, successRate } from '../rl/evaluation';
import { Trainer } from '../rl/trainer';
import { parseCommand, type CommandSpec } from './args';
import { openDevice, openSandbox, quietHooks } from './engine';
import { percent } from './progress';

const flags = {
  tasks: { kind: 'integer', help: 'held-out tasks (default: the run’s)', min: 1 },
  json: { kind: 'flag', help: 'print one JSON object last' },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'eval',
  positionals: '<checkpoint.safetensors | run folder>',
  count: { min: 1, max: 1 },
  flags,
};

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const file = readFileSync(checkpointPath(parsed.positionals[0]));
  const { config, source, progress } = readCheckpointHead(file);
  const tasks = parsed.flags.tasks ?? config.evaluation.tasks;
  const device = await openDevice();
  const trainer = await Trainer.create(
    device,
    await openSandbox(),
    { ...config, evaluation: { ...config.evaluation, tasks } },
    source,
    quietHooks,
  );
  restoreCheckpoint(trainer, file);
  const heldOut = await played(trainer, 'validation');
  process.stderr.write(`${percent(heldOut.success)} of ${tasks} held-out tasks solved after iteration ${progress.iteration}.\n`);
  process.stderr.write(callsLine(heldOut));
  const { description } = trainer.stage;
  const outside = description.outOfDistribution === undefined ? null : await played(trainer, 'out-of-distribution');
  if (outside !== null) {
    process.stderr.write(`${percent(outside.success)} of ${tasks} out of distribution: ${description.outOfDistribution}\n`);
    process.stderr.write(callsLine(outside));
  }
  const evaluation = new Evaluation(trainer.stage);
  const scripts: Record<string, number> = {};
  for (const name of description.policies ?? []) scripts[name] = successRate(await evaluation.runScript(name));
  for (const [name, rate] of Object.entries(scripts)) process.stderr.write(`${percent(rate)} by the script ${name}.\n`);
  if (parsed.flags.json) {
    const report = {
      environment: config.environment.name,
      iteration: progress.iteration,
      tasks,
      success: heldOut.success,
      solvedByCalls: heldOut.solvedByCalls,
      outOfDistribution: outside?.success ?? null,
      outOfDistributionSolvedByCalls: outside?.solvedByCalls ?? null,
      scripts,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  device.destroy();
  return 0;
}

interface Played {
  readonly success: number;
  /** How many tasks were solved with 0, 1, 2 … tool calls that did not fail. */
  readonly solvedByCalls: readonly number[];
}

async function played(trainer: Trainer, split: Split): Promise<Played> {
  const trajectories = await trainer.evaluate(split);
  return { success: successRate(trajectories), solvedByCalls: solvedByCalls(trajectories) };
}

function callsLine({ solvedByCalls: solved }: Played): string {
  return solved.length === 0 ? '' : `  Solved with ${solved.map((_, calls) => calls).join('/')} tool calls: ${solved.join(', ')}.\n`;
}

function checkpointPath(given: string): string {
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, 'checkpoint.safetensors') : given;
  if (!existsSync(path)) throw new Error(`There is no checkpoint at ${path}.`);
  return path;
}
