/** Findings in the played episodes: sizes against limits, characters, rewards, answers that are given away. */
import type { Task, Trajectory } from '../agent/types';
import { quoted } from '../lib/plain-text';
import { limitRanges, type LimitName, type ProposedLimits } from '../lib/proposed-limits';
import { configFields } from '../config/fields';
import { namedCharacters, unknownCharacters } from '../text/unknown-characters';
import type { Play, ReportLine } from './report';
import { observationLimit, rewardWeights, type RunSetup } from '../rl/rollouts/setup';

const maxOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);

/** Compares turns, prompts and episodes of a script with the config's limits. */
export function sizeLines({ config }: RunSetup, { who, trajectories }: Play): ReportLine[] {
  const { maxTurns, maxTokens } = config.rollout;
  const { context } = config.model;
  const steps = trajectories.flatMap((trajectory) => trajectory.steps);
  const turns = maxOf(trajectories.map((trajectory) => trajectory.steps.length));
  const turn = maxOf(steps.map(({ action }) => action.tokens.length));
  const prompt = maxOf(trajectories.map((trajectory) => trajectory.steps[0]?.prompt.length ?? 0));
  const last = maxOf(steps.map((step) => step.prompt.length));
  const episode = maxOf(steps.map((step) => step.prompt.length + step.action.tokens.length));
  const problems: { text: string; needed: ProposedLimits }[] = [];
  const tokens = Math.max(turn, maxTokens);
  const room = Math.max(last + tokens, context);
  if (turn > maxTokens)
    problems.push({
      text: `A turn takes ${turn} tokens; rollout.maxTokens is ${maxTokens}.`,
      needed: { tokens, ...(room > context && { context: room }) },
    });
  if (turns > maxTurns)
    problems.push({
      text: `It takes ${turns} turns, with the answer; rollout.maxTurns is ${maxTurns}.`,
      needed: { turns },
    });
  if (last + maxTokens > context)
    problems.push({
      text:
        `Its last turn has ${last} tokens before it; with rollout.maxTokens of ${maxTokens} that needs a context ` +
        `of ${last + maxTokens}, and model.context is ${context}.`,
      needed: { context: room },
    });
  if (problems.length > 0)
    return problems.map(({ text, needed }) => ({
      kind: 'problem',
      text: `${who} does not fit. ${text}`,
      ...liftsOf(needed),
    }));
  const sizes =
    `turns ${turns} of ${maxTurns}, longest turn ${turn} of ${maxTokens} tokens, ` +
    `longest prompt ${prompt}, longest episode ${episode} of ${context}`;
  return [{ kind: 'good', text: `${who} fits: ${sizes}.` }];
}

/** The fields to set; nothing if one of them cannot be that large. */
function liftsOf(needed: ProposedLimits): Pick<ReportLine, 'lifts'> {
  const lifts = Object.entries(needed).map(([key, value]) => {
    const { title } = configFields().find((field) => field.key === key)!;
    return { key: key as LimitName, title, value };
  });
  return lifts.every(({ key, value }) => value <= limitRanges[key][1]) ? { lifts } : {};
}

/** Characters that the vocabulary lacks, and tool results at the length limit. */
export function characterLines(
  { model: { tokenizer } }: RunSetup,
  tasks: readonly Task[],
  plays: readonly Play[],
): ReportLine[] {
  const steps = plays.flatMap(({ trajectories }) => trajectories.flatMap((trajectory) => trajectory.steps));
  const results = steps
    .filter(({ problem }) => problem === undefined)
    .flatMap(({ toolCalls }) => toolCalls.map(({ result }) => result));
  const texts: [where: string, text: string][] = [
    ['prompts', tasks.map((task) => task.prompt).join(' ')],
    ['tool results', results.join(' ')],
  ];
  const lines = texts.flatMap(([where, text]): ReportLine[] => {
    const unknown = unknownCharacters(tokenizer, text);
    return unknown.length === 0
      ? []
      : [{ kind: 'problem', text: `meta.alphabet lacks characters of ${where}: ${namedCharacters(unknown)}.` }];
  });
  if (lines.length === 0)
    lines.push({ kind: 'good', text: 'The vocabulary has all characters of prompts and tool results.' });
  const long = results.filter((result) => result.length >= observationLimit - 1).length;
  const limit = `the agent is shown ${observationLimit} characters of a result and no more`;
  return long > 0 ? [...lines, { kind: 'note', text: `${long} tool results are cut or nearly so: ${limit}.` }] : lines;
}

/** Whether rewards distinguish good from bad, and which terms never vary. */
export function rewardLines(setup: RunSetup, scripted: readonly Play[], ignorant: readonly Play[]): ReportLine[] {
  const ended = [...scripted, ...ignorant].flatMap(({ trajectories }) =>
    trajectories.filter(({ end }) => end !== 'environment-failed'),
  );
  if (scripted.length === 0 || ended.length === 0) return [];
  const [{ reward }] = ended;
  if (ended.every((trajectory) => trajectory.reward === reward))
    return [
      {
        kind: 'problem',
        text: `The reward is ${reward} in every episode, whatever the agent does: nothing can be learned from it.`,
      },
    ];
  return Object.keys(rewardWeights(setup)).flatMap((term): ReportLine[] => {
    const values = new Set(ended.map((trajectory) => termOf(trajectory, term)));
    return values.size > 1
      ? []
      : [{ kind: 'note', text: `The reward term ${term} is ${[...values][0]} in every episode of this check.` }];
  });
}

function termOf({ steps }: Trajectory, term: string): number {
  return steps.reduce((sum, { rewards }) => sum + (rewards[term] ?? 0), 0);
}

/** Answers without work: contained in the prompt, the same for most tasks, or empty. */
export function giveawayLines(tasks: readonly Task[], best: Play | undefined, ignorant: readonly Play[]): ReportLine[] {
  const lines: ReportLine[] = [];
  const note = (text: string) => lines.push({ kind: 'note', text });
  for (const { who, trajectories } of ignorant) {
    const solved = trajectories.filter(({ success }) => success).length;
    if (solved > 0) note(`${who} solves ${solved} of ${tasks.length} tasks.`);
  }
  const right = rightAnswers(best?.trajectories ?? []);
  const inPrompt = answersInPrompts(right);
  if (inPrompt > tasks.length / 2)
    note(`The right answer stands in the prompt of ${inPrompt} of ${tasks.length} tasks.`);
  const answers = right.map(({ answer }) => answer!.trim());
  const counts = new Map(answers.map((answer) => [answer, answers.filter((other) => other === answer).length]));
  const [usual, count] = [...counts].reduce((top, each) => (each[1] > top[1] ? each : top), ['', 0]);
  if (count > tasks.length / 2) note(`${quoted(usual)} is the right answer to ${count} of ${tasks.length} tasks.`);
  return lines;
}

/** Episodes that a final answer solved. */
export const rightAnswers = (trajectories: readonly Trajectory[]): Trajectory[] =>
  trajectories.filter(({ success, answer }) => success && answer !== undefined && answer.trim() !== '');

/** Counts prompts that contain the answer. @param right episodes with a right answer */
export const answersInPrompts = (right: readonly Trajectory[]): number =>
  right.filter(({ task, answer }) => holdsWord(task.prompt, answer!.trim())).length;

/** Whether the text contains the answer as a whole word. */
function holdsWord(text: string, answer: string): boolean {
  const letter = /[\p{L}\p{N}]/u;
  for (let at = text.indexOf(answer); at >= 0; at = text.indexOf(answer, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + answer.length] ?? ''];
    if (!letter.test(before) && !letter.test(after)) return true;
  }
  return false;
}
