/**
 * `make-model <preset> …`: makes a small model of Llama's kind from nothing, of demonstrations of worlds as chats, and
 * writes it as a folder that `--model` and other programs take.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trajectory } from '../agent/types';
import type { Device } from '../device/device';
import { bytesInMemory } from '../lib/byte-source';
import type { Files } from '../lib/stored-tensors';
import { parseConfig, type RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { forPretrained } from '../config/for-pretrained';
import { presetByName } from '../config/presets';
import { engineVersion } from '../config/run-link';
import { smallModel } from '../model/families';
import { ParameterStore, parameterCount } from '../model/parameters';
import type { SmallModel } from '../model/small-model';
import { Learner } from '../rl/learner/learner';
import { learningRateAt } from '../rl/learner/schedule';
import { imitate, imitationBatch, imitationSchedule, requireWholeEpisodes } from '../rl/learner/warm-start';
import { requireSoundEpisodes } from '../rl/rollouts/environment-failures';
import { scriptedTrajectories } from '../rl/rollouts/scripted';
import { prepareRun, type RunSetup } from '../rl/rollouts/setup';
import { smallText, type SmallText } from '../text/pretrained/small-text';
import { parseCommand, type CommandSpec } from './args';
import { openDevice, openSandbox } from './engine';
import { commandLine } from './place';
import { ProgressBar } from './progress';
import { makeFolder } from './safe-files';
import { say } from './terminal';

const flags = {
  out: { kind: 'text', help: 'the folder to write (default: small-model)', value: 'DIR' },
  seed: { kind: 'integer', help: 'seed of weights and order (default 1)', min: 0 },
  steps: { kind: 'integer', help: 'optimizer steps (default 1500)', min: 1 },
  batch: { kind: 'integer', help: 'episodes a step (default 32)', min: 1 },
  demonstrations: { kind: 'integer', help: 'episodes of each world (default 4000)', min: 8 },
  layers: { kind: 'integer', help: 'layers (default 6)', min: 1 },
  width: { kind: 'integer', help: 'width, a multiple of 32 (default 128)', min: 32 },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'make-model',
  positionals: '<preset> …',
  count: { min: 1, max: 8 },
  flags,
};

/** Tasks that no rollout and no warm start reaches. */
const firstTask = 1 << 29;
/** Episodes of each world that byte pairs are learned of, and how many pairs. */
const read = { episodes: 128, pairs: 512 };
const context = 512;
const rate = 2e-3;
const reportEvery = 10;

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { out = 'small-model', seed = 1, steps = 1500, batch = 32, demonstrations = 4000 } = parsed.flags;
  const { layers = 6, width = 128 } = parsed.flags;
  if (existsSync(out)) throw new Error(`${out} exists already: name another folder with --out.`);
  if (width % 32 !== 0) throw new Error(`--width is ${width}, and must be a multiple of 32.`);
  const device = await openDevice('cpu');
  try {
    const configs = parsed.positionals.map((name) => configOf(name, seed));
    const text = await learnedText(device, configs);
    const heads = width / 32;
    const model = smallModel(
      { layers, width, heads, kvHeads: heads, mlpWidth: 3 * width, context },
      text.size,
      text.end,
    );
    say(`Model: ${parameterCount(model.network.specs)} parameters, ${text.size} tokens.\n`);
    const store = new ParameterStore(device, model.network.specs);
    store.initialise(seed);
    const untrained = await filesOf(device, model, store, text);
    const worlds: World[] = [];
    for (const config of configs) {
      const world = await openWorld(config, untrained, demonstrations);
      requireWholeEpisodes(world.trajectories, config);
      worlds.push(world);
    }
    await train(device, model, store, worlds, { seed, steps, batch });
    makeFolder(out);
    for (const [name, file] of await filesOf(device, model, store, text))
      writeFileSync(join(out, name), await file.read(0, file.size));
    const record = { command: commandLine('make-model', args), date: new Date().toISOString(), engineVersion };
    writeFileSync(join(out, 'record.json'), `${JSON.stringify(record, null, 2)}\n`);
  } finally {
    device.destroy();
  }
  say(`Wrote a model to ${out}: train an adapter of it with --model ${out}.\n`);
  return 0;
}

/** Byte pairs of what is said in the worlds. */
async function learnedText(device: Device, configs: readonly RunConfig[]): Promise<SmallText> {
  const bytes = smallText([], 0);
  const smallest = smallModel(
    { layers: 1, width: 32, heads: 1, kvHeads: 1, mlpWidth: 32, context: 1024 },
    bytes.size,
    bytes.end,
  );
  const store = new ParameterStore(device, smallest.network.specs);
  const files = await filesOf(device, smallest, store, bytes);
  store.destroy();
  const texts: string[] = [];
  for (const config of configs) {
    const long = { ...config, model: { ...config.model, context: 1024 } };
    const { setup, trajectories } = await openWorld(long, files, read.episodes);
    for (const { steps } of trajectories) {
      const { prompt, action } = steps.at(-1)!;
      texts.push(setup.model.tokenizer.decode([...prompt, ...action.tokens]));
    }
  }
  return smallText(texts, read.pairs);
}

interface World {
  readonly setup: RunSetup;
  readonly trajectories: readonly Trajectory[];
}

/** Weights do not matter where only text is made. */
function configOf(name: string, seed: number): RunConfig {
  const { config } = presetByName(name);
  const found = { name: 'model', digest: '0'.repeat(64), context };
  return parseConfig({ ...forPretrained(config, found), seed });
}

async function openWorld(config: RunConfig, files: Files, count: number): Promise<World> {
  const setup = await prepareRun(config, environmentSource(config), await openSandbox(), async () => files);
  const { options } = config.environment;
  const tasks = await setup.client.tasks('train', config.seed, firstTask, count, options);
  const trajectories = await scriptedTrajectories(setup, tasks);
  requireSoundEpisodes(trajectories, 'the demonstrations');
  return { setup, trajectories };
}

/** A model and its text as files. */
async function filesOf(device: Device, model: SmallModel, store: ParameterStore, text: SmallText): Promise<Files> {
  const pieces: Uint8Array[] = [];
  for await (const piece of model.weights(device, store)) pieces.push(piece);
  const contents = new Map<string, Uint8Array>([['model.safetensors', Buffer.concat(pieces)]]);
  for (const [name, content] of [...text.files, ['config.json', model.config] as const])
    contents.set(name, new TextEncoder().encode(content));
  return new Map([...contents].map(([name, bytes]) => [name, bytesInMemory(bytes)]));
}

interface Plan {
  readonly seed: number;
  readonly steps: number;
  readonly batch: number;
}

/** Cross-entropy on the agent's tokens, of one world after another. */
async function train(
  device: Device,
  { network }: SmallModel,
  store: ParameterStore,
  worlds: readonly World[],
  { seed, steps, batch }: Plan,
): Promise<void> {
  const learner = new Learner(device, store, network, { capacity: 2048 });
  await device.compiled();
  const bar = new ProgressBar('Pretraining', steps);
  const schedule = imitationSchedule(rate, steps);
  for (let step = 1; step <= steps; step++) {
    const { setup, trajectories } = worlds[(step - 1) % worlds.length];
    const chosen = imitationBatch(trajectories, { seed, batch }, Math.floor((step - 1) / worlds.length));
    imitate(learner, chosen, setup.config, learningRateAt(schedule, step, steps));
    if (step % reportEvery === 0 || step === steps) {
      const { sites, loss } = await learner.report();
      bar.update(step, sites > 0 ? `loss ${loss.toFixed(3)}` : '');
    }
  }
  learner.destroy();
}
