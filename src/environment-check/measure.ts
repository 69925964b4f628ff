/**
 * Measures an environment: plays its oracle and its random policy, each twice, and compares its splits. What it finds
 * comes after the check's findings.
 */
import { EnvironmentClient, type Split } from '../agent/environment-client';
import { fuelLimits, type Sandbox } from '../agent/sandbox';
import type { Task } from '../agent/types';
import { mean } from '../lib/mean';
import { plainText, quoted } from '../lib/plain-text';
import type { RunConfig } from '../config/config';
import { environmentSource } from '../config/environment-source';
import { prepareRun, type RunSetup } from '../rl/rollouts/setup';
import { answersInPrompts, rightAnswers } from './findings';
import { FuelMeter, type Fuel } from './fuel-meter';
import { playScript } from './play';
import { reflexLines } from './reflex-play';
import type { Play, ReportLine } from './report';

/** How much of an environment is measured. */
export interface MeasureSize {
  /** Episodes of each player; at least 16, whose tasks are drawn again one by one. */
  readonly episodes: number;
  /** Tasks of each split: to find those that are in two, and to fit and try a reflex. */
  readonly tasks: number;
}

const redrawnTasks = 16;

/** @throws a sentence if the environment cannot be loaded or makes no tasks */
export async function measureEnvironment(
  config: RunConfig,
  sandbox: Sandbox,
  size: MeasureSize,
): Promise<ReportLine[]> {
  const meter = new FuelMeter(sandbox);
  const setup = await prepareRun(config, environmentSource(config), meter);
  const client = new EnvironmentClient(meter);
  const draw = (split: Split, start: number, count: number) =>
    client.tasks(split, split === 'train' ? config.seed : 0, start, count, config.environment.options);
  const tasks = await draw('train', 0, size.episodes);
  const lines = await redrawLines(tasks, (index) => draw('train', index, 1));
  for (const [who, policy] of players(setup)) {
    try {
      lines.push(...(await playLines(setup, client, meter, tasks, who, policy)));
    } catch (error) {
      lines.push({ kind: 'problem', text: `${who}: ${plainText((error as Error).message, 1000)}` });
    }
  }
  if (!setup.description.policies?.includes('random'))
    lines.push({ kind: 'note', text: 'No random play: the module exports no policies.random.' });
  lines.push(...(await leakLines(setup, draw, size.tasks)));
  try {
    const [seen, heldOut] = [await draw('train', 0, size.tasks), await draw('validation', 0, size.tasks)];
    return [...lines, ...(await reflexLines(setup, client, seen, heldOut))];
  } catch {
    // What failed is in a line of the players or of the check already.
    return lines;
  }
}

/** The oracle, else the demonstrations; and a random player if there is one. */
function players({ description }: RunSetup): [who: string, policy: string | undefined][] {
  const policies = description.policies ?? [];
  return [
    policies.includes('oracle') ? ['The oracle', 'oracle'] : ['The demonstration', undefined],
    ...(policies.includes('random') ? [['Random play', 'random'] as [string, string]] : []),
  ];
}

/** Finds tasks that depend on more than their index. */
async function redrawLines(tasks: readonly Task[], draw: (index: number) => Promise<Task[]>): Promise<ReportLine[]> {
  for (let index = 0; index < redrawnTasks; index++) {
    const [again] = await draw(index);
    if (JSON.stringify(again) !== JSON.stringify(tasks[index]))
      return [
        {
          kind: 'note',
          text:
            `Task ${index} is another one when it is drawn alone: draw from rng, ` +
            'not from Math.random() or a counter.',
        },
      ];
  }
  return [];
}

async function playLines(
  setup: RunSetup,
  client: EnvironmentClient,
  meter: FuelMeter,
  tasks: readonly Task[],
  who: string,
  policy: string | undefined,
): Promise<ReportLine[]> {
  meter.read();
  const trajectories = await playScript(setup, client, tasks, policy);
  const fuel = meter.read();
  const again = await playScript(setup, client, tasks, policy);
  const different = trajectories.findIndex((each, i) => JSON.stringify(each) !== JSON.stringify(again[i]));
  const repeats: ReportLine =
    different < 0
      ? { kind: 'good', text: `${who}, ${tasks.length} episodes: a second play gave the same.` }
      : {
          kind: 'problem',
          text: `${who}: a second play of ${quoted(tasks[different].prompt, 60)} differs from the first.`,
        };
  const play = { who, trajectories };
  return [...sizeLines(setup, play, fuel), ...(policy === 'random' ? [] : answerLines(play)), repeats];
}

function sizeLines({ config }: RunSetup, { who, trajectories }: Play, fuel: Fuel): ReportLine[] {
  const solved = trajectories.filter(({ success }) => success).length;
  const rewards = trajectories.map(({ reward }) => reward);
  const turns = trajectories.map(({ steps }) => steps.length);
  const written = trajectories.map(({ steps }) => steps.reduce((sum, { action }) => sum + action.tokens.length, 0));
  const whole = trajectories.flatMap(({ steps }) => {
    const last = steps.at(-1);
    return last ? [last.prompt.length + last.action.tokens.length] : [];
  });
  const { calls, episodes } = fuel;
  const texts = [
    `solves ${solved} of ${trajectories.length}; reward ${range(rewards)}.`,
    `turns ${range(turns)}; tokens written ${range(written)}; tokens of an episode ${range(whole)}.`,
    `fuel of a call ${range(calls)}, the limit is ${config.rollout.callFuel}; ` +
      `of an episode ${range(episodes)}, the limit is ${fuelLimits.episode}.`,
  ];
  return texts.map((text) => ({ kind: 'good', text: `${who}: ${text}` }));
}

/** Least, mean and most. */
function range(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const short = (value: number) => String(Number(value.toFixed(value < 100 ? 2 : 0)));
  return least === most ? short(least) : `${short(least)} to ${short(most)}, mean ${short(mean(values))}`;
}

/** Right answers that the prompt contains; the check notes where they are more than half. */
function answerLines({ trajectories }: Play): ReportLine[] {
  const right = rightAnswers(trajectories);
  const given = answersInPrompts(right);
  if (right.length === 0 || given > right.length / 2) return [];
  return [{ kind: 'good', text: `The right answer stands in the prompt of ${given} of ${right.length} tasks.` }];
}

async function leakLines(
  { description }: RunSetup,
  draw: (split: Split, start: number, count: number) => Promise<Task[]>,
  comparedTasks: number,
): Promise<ReportLine[]> {
  const splits: Split[] = ['train', 'validation'];
  if (description.outOfDistribution !== undefined) splits.push('out-of-distribution');
  const drawn: { split: Split; tasks: readonly Task[] }[] = [];
  // The check reports a split that has no tasks.
  for (const split of splits) drawn.push({ split, tasks: await draw(split, 0, comparedTasks).catch(() => []) });
  const lines = drawn.flatMap((one, i) =>
    drawn.slice(i + 1).flatMap((other): ReportLine[] => {
      const where = `${one.split} and ${other.split}`;
      const ids = shared(one.tasks, other.tasks, ({ id }) => id);
      if (ids.length > 0)
        return [{ kind: 'problem', text: `${ids.length} ids are in ${where}, such as ${quoted(ids[0], 60)}.` }];
      const prompts = shared(one.tasks, other.tasks, ({ prompt }) => prompt);
      if (prompts.length === 0) return [];
      const text = `${prompts.length} prompts are in ${where}, with other ids, such as ${quoted(prompts[0], 60)}.`;
      return [{ kind: 'note', text }];
    }),
  );
  if (lines.length > 0) return lines;
  return [{ kind: 'good', text: `No id and no prompt is in two splits, of ${comparedTasks} tasks of each.` }];
}

/** Different values that both lists have. */
function shared(one: readonly Task[], other: readonly Task[], of: (task: Task) => string): string[] {
  const there = new Set(other.map(of));
  return [...new Set(one.map(of))].filter((value) => there.has(value));
}
