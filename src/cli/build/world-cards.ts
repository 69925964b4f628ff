/**
 * What the gallery shows of each preset: its environment's words and its recorded run in short. Made at build time from
 * the files that the page replays, so that a card never says anything else than its recording.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EnvironmentDescription } from '../../agent/env';
import { sum } from '../../lib/mean';
import type { RunConfig } from '../../config/config';
import type { Metrics } from '../../rl/report';
import type { MessageView, RolloutView, StepView } from '../../rl/rollouts/view';
import { iterationMs, validationCurve } from '../../share/run-metrics';
import { readRecording, type Recording } from '../../share/recording';

/** An answer to a task, without tokens. */
export interface CardAnswer extends Pick<RolloutView, 'iteration' | 'prompt' | 'success' | 'end' | 'answer'> {
  /** What the environment said and showed first, besides the prompt. */
  readonly start: readonly Pick<MessageView, 'content' | 'images'>[];
  readonly steps: readonly Pick<StepView, 'toolCalls'>[];
}

export interface WorldCard {
  readonly preset: string;
  readonly title: string;
  readonly task: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Options of the environment that this preset sets to other values than the usual ones. */
  readonly options: readonly { readonly title: string; readonly value: string | number }[];
  readonly parameters: number;
  /** The world draws itself. */
  readonly draws: boolean;
  /** Duration of all iterations when the run was recorded. */
  readonly recordedMs: number;
  /** Success on unseen tasks; in practice where that did not rise, because it was at its best from the start. */
  readonly measure: 'unseen' | 'practice';
  readonly curve: readonly { readonly iteration: number; readonly success: number }[];
  /** Answers to the same task before the first iteration and after the last. */
  readonly before: CardAnswer;
  readonly after: CardAnswer;
}

type Run = Recording<RunConfig, Metrics, RolloutView>;
type Described = Pick<EnvironmentDescription, 'title' | 'task' | 'tools' | 'options' | 'hooks'>;

/** Exports of an environment's module that are read here. */
interface EnvironmentModule {
  readonly draw?: unknown;
  readonly meta: Pick<EnvironmentDescription, 'title' | 'task' | 'options'>;
  readonly tools: EnvironmentDescription['tools'];
}

const modules = import.meta.glob<EnvironmentModule>('../../environments/*/environment.js', { eager: true });
const titles = new Map(
  Object.entries(import.meta.glob<string>('../../environments/*/*.preset.json', { eager: true, import: 'title' })).map(
    ([path, title]) => [basename(path, '.preset.json'), title],
  ),
);

/** One card for each recording in the folder, the quickest first. */
export function worldCards(folder: string): WorldCard[] {
  return readdirSync(folder)
    .map((file) => readRecording<RunConfig, Metrics, RolloutView>(JSON.parse(readFileSync(join(folder, file), 'utf8'))))
    .map((run) => {
      const { meta, tools, draw } = modules[`../../environments/${run.config.environment.name}/environment.js`];
      return worldCard(
        { ...meta, title: titles.get(run.preset) ?? meta.title, tools, hooks: draw ? ['draw'] : [] },
        run,
      );
    })
    .sort((a, b) => a.recordedMs - b.recordedMs);
}

export function worldCard({ title, task, tools, options, hooks }: Described, run: Run): WorldCard {
  const [answers] = run.answers;
  const chosen = run.config.environment.options;
  return {
    preset: run.preset,
    title,
    task,
    tools: tools.map(({ name, description }) => ({ name, description })),
    options: (options ?? [])
      .filter(({ name, default: usual }) => (chosen[name] ?? usual) !== usual)
      .map(({ name, title: option }) => ({ title: option, value: chosen[name] })),
    parameters: run.parameters,
    draws: hooks?.includes('draw') ?? false,
    recordedMs: sum(run.metrics.map(iterationMs)),
    ...successOf(run.metrics),
    before: answerOf(answers[0]),
    after: answerOf(answers[answers.length - 1]),
  };
}

function successOf(metrics: readonly Metrics[]): Pick<WorldCard, 'measure' | 'curve'> {
  const unseen = validationCurve(metrics);
  if (unseen.length > 1 && unseen[unseen.length - 1].success > unseen[0].success)
    return { measure: 'unseen', curve: unseen };
  return { measure: 'practice', curve: metrics.map(({ iteration, success }) => ({ iteration, success })) };
}

function answerOf({ iteration, prompt, success, end, answer, steps }: RolloutView): CardAnswer {
  const start = steps[0].messages.filter(
    ({ role, content }) => role === 'tool' || (role === 'user' && content !== prompt),
  );
  return {
    iteration,
    prompt,
    success,
    end,
    ...(answer !== undefined && { answer }),
    start: start.map(({ content, images }) => ({ content, ...(images && { images }) })),
    steps: steps.map(({ toolCalls }) => ({ toolCalls })),
  };
}
