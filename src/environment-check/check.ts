/**
 * Plays an environment before it is trained on: its oracle and its demonstrations, then an untrained agent, on the
 * first tasks of the run, through the run's own loop and tools, without a GPU. Reports to the person who wrote or
 * opened it.
 */
import { demonstrationTrajectories, ScriptedPolicy } from '../agent/demonstrations';
import type { DemonstrationTurn } from '../agent/env';
import { EnvironmentClient, type Split } from '../agent/environment-client';
import { canDraw, drawEpisode, notAgain } from '../agent/drawing';
import { seedOfEpisodes } from '../agent/episode';
import { CallReader } from '../agent/read-action';
import type { Sandbox } from '../agent/sandbox';
import type { Task } from '../agent/types';
import { plainText, quoted } from '../lib/plain-text';
import type { RunConfig } from '../config/config';
import { characterLines, giveawayLines, rewardLines, sizeLines } from './findings';
import { environmentFailures, mostFrequent } from '../rl/rollouts/environment-failures';
import type { EnvironmentReport, Play, ReportLine } from './report';
import { environmentSource } from '../config/environment-source';
import { observationLimit, prepareRun, type RunSetup } from '../rl/rollouts/setup';
import { boundless, playOptions, playScript } from './play';

const checkedTasks = 32;
/** Of each play. */
const drawnEpisodes = 4;

/** @throws a sentence if the environment cannot be loaded or makes no tasks */
export async function checkEnvironment(config: RunConfig, sandbox: Sandbox): Promise<EnvironmentReport> {
  const setup = await prepareRun(config, environmentSource(config), sandbox);
  const { description } = setup;
  // Not the run's own client, which refuses prompts that the tokenizer cannot encode: here they are reported.
  const client = new EnvironmentClient(sandbox);
  const tasks = await client.tasks('train', config.seed, 0, checkedTasks, config.environment.options);
  const lines = [...(await splitLines(setup, client)), ...repetitionLines(tasks)];
  const scripted: Play[] = [];
  for (const [who, policy] of scripts(setup)) {
    try {
      scripted.push({ who, trajectories: await playScript(setup, client, tasks, policy) });
    } catch (error) {
      lines.push({ kind: policy !== undefined || imitates(config) ? 'problem' : 'note', text: sentenceOf(error) });
    }
  }
  const ignorant = [await answerNothing(setup, tasks), await sayNothing(setup, tasks)];
  const [best] = scripted;
  lines.push(
    ...scripted.map(solvedLine),
    ...[...scripted, ...ignorant].flatMap(failureLines),
    ...scripted.flatMap(toolErrorLines),
    ...characterLines(setup, tasks, scripted),
    ...scripted.flatMap((play) => sizeLines(setup, play)),
    ...rewardLines(setup, scripted, ignorant),
    ...giveawayLines(tasks, best, ignorant),
    ...(await drawingLines(setup, sandbox, [...scripted, ...ignorant])),
  );
  return { title: plainText(description.title, 80), tasks: tasks.length, solved: best ? solvedOf(best) : null, lines };
}

/** Draws some episodes of each play: the first scene that is none is a problem. */
async function drawingLines(
  { description, format, config }: RunSetup,
  sandbox: Sandbox,
  plays: readonly Play[],
): Promise<ReportLine[]> {
  if (!canDraw(description)) return [];
  const reader = new CallReader({ description, format, observationLimit });
  const options = { description, sandbox, reader, callFuel: config.rollout.callFuel };
  for (const { who, trajectories } of plays)
    for (const [place, played] of trajectories.slice(0, drawnEpisodes).entries()) {
      const drawing = await drawEpisode(options, played.task, played, { seed: seedOfEpisodes(config.seed), place });
      if ('problem' in drawing && drawing.problem !== notAgain)
        return [{ kind: 'problem', text: `${who}: ${quoted(played.task.prompt, 60)}: ${drawing.problem}` }];
    }
  return [];
}

/** Reports held-out splits without tasks. */
async function splitLines({ config, description }: RunSetup, client: EnvironmentClient): Promise<ReportLine[]> {
  const splits: Split[] = [
    'validation',
    ...(description.outOfDistribution === undefined ? [] : ['out-of-distribution' as const]),
  ];
  const lines: ReportLine[] = [];
  for (const split of splits) {
    try {
      await client.tasks(split, 0, 0, checkedTasks, config.environment.options);
    } catch (error) {
      lines.push({ kind: 'problem', text: sentenceOf(error) });
    }
  }
  return lines;
}

const sentenceOf = (error: unknown): string => plainText((error as Error).message, 1000);

function repetitionLines(tasks: readonly Task[]): ReportLine[] {
  const different = new Set(tasks.map(({ id }) => id)).size;
  return different > tasks.length / 2
    ? []
    : [{ kind: 'note', text: `Only ${different} of ${tasks.length} training tasks are different.` }];
}

/** The oracle if there is one, and the demonstrations if they are imitated or there is no oracle. */
function scripts({ config, description }: RunSetup): [who: string, policy: string | undefined][] {
  const oracle = description.policies?.includes('oracle') ?? false;
  return [
    ...(oracle ? [['The oracle', 'oracle'] as [string, string]] : []),
    ...(imitates(config) || !oracle ? [['The demonstration', undefined] as [string, undefined]] : []),
  ];
}

const imitates = ({ warmStart }: RunConfig): boolean => warmStart.demonstrations > 0 && warmStart.steps > 0;

/** An empty answer, to see the reward of a bad one. */
async function answerNothing(setup: RunSetup, tasks: readonly Task[]): Promise<Play> {
  const turns: DemonstrationTurn[] = [{ answer: '' }];
  const demonstrations = tasks.map((task) => ({ task, turns }));
  return {
    who: 'An empty answer',
    trajectories: await demonstrationTrajectories(demonstrations, setup.loop(), playOptions(setup)),
  };
}

/** One turn that is cut before its end: `reward` gets no answer, as when a rollout runs out of turns. */
async function sayNothing(setup: RunSetup, tasks: readonly Task[]): Promise<Play> {
  const policy = new ScriptedPolicy(
    tasks.map(() => [setup.model.tokenizer.encode('cut')]),
    boundless.contextLength,
  );
  const attempts = tasks.map((task, group) => ({ task, group }));
  return {
    who: 'No answer',
    trajectories: await setup.loop().run(attempts, policy, { ...playOptions(setup), maxTurns: 1 }),
  };
}

const solvedOf = ({ trajectories }: Play): number => trajectories.filter(({ success }) => success).length;

function solvedLine(play: Play): ReportLine {
  const { who, trajectories } = play;
  const solved = solvedOf(play);
  const isOracle = who === 'The oracle';
  const text = `${who} solves ${solved} of ${trajectories.length} tasks.`;
  if (solved === trajectories.length)
    return { kind: 'good', text: isOracle ? text : `${text} Reinforcement has little left to learn.` };
  if (solved > 0) return { kind: 'note', text };
  const wrong = trajectories[0];
  const said = `On ${quoted(wrong.task.prompt, 60)} it answered ${quoted(wrong.answer ?? '', 60)}, and reward said no.`;
  return { kind: isOracle ? 'problem' : 'note', text: `${text} ${said}` };
}

function failureLines({ who, trajectories }: Play): ReportLine[] {
  const failures = environmentFailures(trajectories);
  if (failures === null) return [];
  const { count, reason } = failures;
  const text = `${who}: the environment failed in ${count} of ${trajectories.length} episodes: ${reason}`;
  return [{ kind: 'problem', text }];
}

function toolErrorLines({ who, trajectories }: Play): ReportLine[] {
  const steps = trajectories
    .filter(({ end }) => end !== 'environment-failed')
    .flatMap((trajectory) => trajectory.steps);
  const failed = steps.flatMap(({ problem }) => problem ?? []);
  const refused = steps
    .filter(({ problem }) => problem === undefined)
    .flatMap(({ toolCalls }) =>
      toolCalls
        .filter(({ error }) => error !== undefined)
        .map(({ name, result }) => `${name} gave ${quoted(result, 100)}`),
    );
  return [
    ...(failed.length > 0
      ? [{ kind: 'problem', text: `${who}: a tool failed in ${failed.length} calls: ${mostFrequent(failed)}` } as const]
      : []),
    ...(refused.length > 0
      ? [
          {
            kind: 'note',
            text: `${who}: ${refused.length} calls were refused; most often ${mostFrequent(refused)}.`,
          } as const,
        ]
      : []),
  ];
}
