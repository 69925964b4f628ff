/**
 * `export <run>`: rollouts of a run, or demonstrations of an environment, as JSON lines that trainers of large models
 * read; a page that replays a run; a recipe that trains a large model on an environment; or a pretrained model with a
 * run's adapter merged in.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { EnvironmentClient } from '../agent/environment-client';
import { zeroCredit } from '../algorithms/credit';
import { readCheckpointHead } from '../rl/checkpoint';
import { seedOf } from '../rl/rollouts/batches';
import { scriptedTrajectories } from '../rl/rollouts/scripted';
import { prepareRun } from '../rl/rollouts/setup';
import { rolloutView, type RolloutView } from '../rl/rollouts/view';
import { demonstrationRecord, rolloutRecord, toolRecords } from '../rl/rollouts/chat-records';
import { didYouMean } from '../lib/nearest';
import type { ToolSignature } from '../text/tool-formats/tool-format';
import { parseCommand, type CommandSpec } from './args';
import { writeMerged } from './export/merged';
import { writeRayRecipe } from './export/ray';
import { writeReplay } from './export/replay';
import { openSandbox } from './engine';
import { openHostTools } from './host-tools/tools';
import { readLog } from './log-lines';
import { modelFlag } from './model-folder';
import { readCheckpointFile } from './read-file';
import { givenRun, runPositional } from './run-config';
import { say } from './terminal';

/** Each with what it is written to. */
const kinds = { sft: 'sft.jsonl', jsonl: 'rollouts.jsonl', html: 'replay.html', ray: 'ray', model: 'model' } as const;
type Kind = keyof typeof kinds;
const kindNames = Object.keys(kinds) as Kind[];
const flags = {
  to: {
    kind: 'text',
    help:
      'sft: successful rollouts or demonstrations as chats to imitate (messages, tools); ' +
      'jsonl: every rollout with its reward (prompt, completion, tools, reward, success, …); ' +
      'html: a page that replays the run from a disk, with curve, rollouts and drawings; ' +
      'ray: a folder that trains a large model on the environment, by TRL on Ray; ' +
      'model: a pretrained model with the run’s adapter merged into its weights, in float16',
    value: 'KIND',
  },
  out: {
    kind: 'text',
    help: 'the file or folder to write (default: sft.jsonl, rollouts.jsonl, replay.html, ray or model)',
    value: 'PATH',
  },
  model: modelFlag,
  tasks: { kind: 'integer', help: 'tasks of an environment to play (default 256)', min: 1 },
  policy: {
    kind: 'text',
    help: 'a scripted policy that plays them, such as oracle (default: the demonstrations)',
    value: 'NAME',
  },
} as const;
const spec: CommandSpec<typeof flags> = {
  name: 'export',
  positionals: `<run folder | ${runPositional.replace(/^<|>$/g, '')}>`,
  count: { min: 1, max: 1 },
  flags,
};

/** Rollouts, and what a chat with tools needs beside them. */
interface Played {
  readonly rollouts: Iterable<RolloutView>;
  readonly system: string | null;
  readonly tools: readonly ToolSignature[];
}

export async function run(args: string[]): Promise<number> {
  const parsed = parseCommand(spec, args);
  if (!parsed) return 0;
  const { to, tasks = 256, policy } = parsed.flags;
  if (to === undefined) throw new Error(`Say what to write with --to: ${kindNames.join(', ')}.`);
  const kind = kindNames.find((each) => each === to);
  if (kind === undefined)
    throw new Error(`--to cannot be "${to}"; it takes ${kindNames.join(', ')}.${didYouMean(to, kindNames)}`);
  const out = parsed.flags.out ?? kinds[kind];
  if (existsSync(out)) throw new Error(`${out} exists already: name another one with --out.`);
  const [subject] = parsed.positionals;
  if (kind === 'model') {
    await writeMerged(subject, parsed.flags.model, out);
    say(`Wrote a model to ${out}.\n`);
    return 0;
  }
  if (parsed.flags.model !== undefined) throw new Error('--model is for --to model: leave it out.');
  if (kind === 'ray') {
    await writeRayRecipe(await givenRun(subject), out, tasks);
    say(`Wrote a recipe to ${out}. Start it with: bash ${join(out, 'launch.sh')}\n`);
    return 0;
  }
  const isRun = existsSync(join(subject, 'run.json'));
  if (kind === 'html') {
    if (!isRun) throw new Error(`--to html is for the folder of a run, and ${subject} is none.`);
    await writeReplay(subject, loggedRollouts(subject), out);
    say(`Wrote a replay to ${out}: open it in a browser.\n`);
    return 0;
  }
  const played = isRun ? await ofRun(subject) : await demonstrated(subject, tasks, policy);
  const tools = toolRecords(played.tools);
  const lines: string[] = [];
  let count = 0;
  for (const rollout of played.rollouts) {
    count++;
    const record = (kind === 'sft' ? demonstrationRecord : rolloutRecord)(rollout, played.system, tools);
    if (record) lines.push(`${JSON.stringify(record)}\n`);
  }
  writeFileSync(out, lines.join(''), { flag: 'wx' });
  say(`Wrote ${lines.length} of ${count} episodes to ${out}.\n`);
  return 0;
}

/** What is not read here, another version may have written. */
const StepSchema = v.looseObject({
  text: v.string(),
  messages: v.array(v.looseObject({ role: v.picklist(['system', 'user', 'assistant', 'tool']), content: v.string() })),
  toolCalls: v.array(v.looseObject({ name: v.string(), result: v.string() })),
  rewards: v.record(v.string(), v.number()),
});
const RolloutSchema = v.looseObject({
  iteration: v.number(),
  index: v.number(),
  taskId: v.string(),
  reward: v.number(),
  success: v.boolean(),
  steps: v.pipe(v.array(StepSchema), v.minLength(1)),
});

function* loggedRollouts(folder: string): Generator<RolloutView> {
  for (const { value } of readLog(join(folder, 'trajectories.jsonl'), RolloutSchema))
    yield value as unknown as RolloutView;
}

async function ofRun(folder: string): Promise<Played> {
  const { source, config } = readCheckpointHead(readCheckpointFile(join(folder, 'checkpoint.safetensors')));
  const sandbox = await openSandbox(await openHostTools(undefined, folder));
  await sandbox.load(source, config.environment.rows);
  const { system, tools } = await new EnvironmentClient(sandbox).describe();
  return { rollouts: loggedRollouts(folder), system: system ?? null, tools };
}

/** Demonstrations, or the play of a policy, on training tasks, through the loop that an agent would run in. */
async function demonstrated(subject: string, count: number, policy: string | undefined): Promise<Played> {
  const { config, source } = await givenRun(subject);
  const setup = await prepareRun(config, source, await openSandbox());
  const tasks = await setup.client.tasks('train', seedOf('tasks', config), 0, count, config.environment.options);
  const trajectories = await scriptedTrajectories(setup, tasks, policy);
  const rollouts = trajectories.map((each, index) =>
    rolloutView(each, { iteration: 0, index }, zeroCredit(each), true),
  );
  return { rollouts, system: setup.description.system ?? null, tools: setup.description.tools };
}
