/** `eval <checkpoint>`: greedy success of a saved agent on held-out tasks, beside the environment's scripted policies. It trains nothing and writes nothing. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readCheckpointHead, restoreCheckpoint } from '../rl/checkpoint';
import { Evaluation, successRate } from '../rl/evaluation';
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
  const success = await trainer.validate();
  process.stderr.write(`${percent(success)} of ${tasks} held-out tasks solved after iteration ${progress.iteration}.\n`);
  const { description } = trainer.stage;
  const outOfDistribution = description.outOfDistribution === undefined ? null : await trainer.validate('out-of-distribution');
  if (outOfDistribution !== null)
    process.stderr.write(`${percent(outOfDistribution)} of ${tasks} out of distribution: ${description.outOfDistribution}\n`);
  const evaluation = new Evaluation(trainer.stage);
  const scripts: Record<string, number> = {};
  for (const name of description.policies ?? []) scripts[name] = successRate(await evaluation.runScript(name));
  for (const [name, rate] of Object.entries(scripts)) process.stderr.write(`${percent(rate)} by the script ${name}.\n`);
  if (parsed.flags.json) {
    const { name: environment } = config.environment;
    process.stdout.write(`${JSON.stringify({ environment, iteration: progress.iteration, tasks, success, outOfDistribution, scripts })}\n`);
  }
  device.destroy();
  return 0;
}

function checkpointPath(given: string): string {
  const path = existsSync(given) && statSync(given).isDirectory() ? join(given, 'checkpoint.safetensors') : given;
  if (!existsSync(path)) throw new Error(`There is no checkpoint at ${path}.`);
  return path;
}
