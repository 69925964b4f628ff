/**
 * A recipe that trains a large language model on a world with TRL on Ray: rows, config, scripts. Workers roll out in
 * sessions of `serve`, so the recipe holds no code of the world but its config.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentClient } from '../../agent/environment-client';
import type { RunConfig } from '../../config/config';
import { seedOf } from '../../rl/rollouts/batches';
import { openSandbox } from '../engine';
import type { GivenRun } from '../run-config';
import { makeFolder } from '../safe-files';
import train from './train-on-ray.py?raw';

/** What it was run with (`npm run interop`). */
const requirements = `openreward==0.1.167
ray[train]==2.60.0
torch==2.15.0
transformers==5.23.0
trl==1.16.0
`;

const serve = `#!/bin/bash
# Serves the world on this machine. Start it on every machine of a cluster: each answers only its own workers.
exec \${AGENTLET:-npx agentlet} serve "$(dirname "$0")/world.json" --port 8080
`;

const launch = `#!/bin/bash
# Serves the world and trains on it; with RAY_ADDRESS set, on that cluster.
set -e
folder="$(cd "$(dirname "$0")" && pwd)"
answers() { curl -sf http://127.0.0.1:8080/health > /dev/null; }
if answers; then
  echo "Something serves on port 8080 already: stop it, or the training would play its world." >&2
  exit 1
fi
bash "$folder/serve.sh" &
server=$!
trap 'kill $server 2> /dev/null' EXIT
until answers; do
  if ! kill -0 $server 2> /dev/null; then
    echo "The server ended before it answered: what it said stands above." >&2
    exit 1
  fi
  sleep 1
done
python3 "$folder/train.py"
`;

/** Writes the recipe into a new folder. @param count training tasks */
export async function writeRayRecipe({ config, source }: GivenRun, folder: string, count: number): Promise<void> {
  const sandbox = await openSandbox();
  await sandbox.load(source, config.environment.rows);
  const client = new EnvironmentClient(sandbox);
  const tasks = await client.tasks('train', seedOf('tasks', config), 0, count, config.environment.options);
  // The adapter appends the prompt that the server gives, so TRL's rows have an empty one.
  const rows = tasks.map(({ id, tags = [] }, index) => {
    return { prompt: [{ role: 'user', content: '' }], task_index: index, id, tags };
  });
  sandbox.dispose();
  makeFolder(folder);
  const files = {
    'world.json': json({ ...config, environment: { ...config.environment, source } }),
    'rows.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    'config.json': json(configOf(config)),
    'requirements.txt': requirements,
    'train.py': train,
    'serve.sh': serve,
    'launch.sh': launch,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { flag: 'wx' });
}

/** `grpo` are arguments of TRL's `GRPOConfig`. What depends on the model is not that of the small agent. */
function configOf({ rollout, iterations }: RunConfig) {
  return {
    address: 'http://127.0.0.1:8080',
    model: 'Qwen/Qwen3-0.6B',
    output: 'output',
    workers: 2,
    gpus: true,
    grpo: {
      num_generations: rollout.group,
      per_device_train_batch_size: rollout.group,
      max_steps: iterations,
      max_tool_calling_iterations: rollout.maxTurns,
      max_completion_length: 1024,
      learning_rate: 1e-6,
      temperature: 1,
      logging_steps: 1,
      report_to: [],
      save_strategy: 'no',
    },
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
