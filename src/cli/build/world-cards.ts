/**
 * What the gallery shows of each preset: its environment's words and its recorded run in short. Made at build time from
 * the files that the page replays, so that a card never says anything else than its recording.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EnvironmentDescription } from '../../agent/env';
import { addTerms } from '../../agent/flow';
import { toolRewardTerm } from '../../agent/tool-results';
import { formatPlain, plural } from '../../lib/format';
import { sum } from '../../lib/mean';
import { outcomeInWords } from '../../presentation/conversation';
import type { RunConfig } from '../../config/config';
import type { Metrics } from '../../rl/report';
import type { RolloutView } from '../../rl/rollouts/view';
import { iterationMs, validationCurve } from '../../share/run-metrics';
import { readRecording, type Recording } from '../../share/recording';

/** An answer to a task. */
export interface CardAnswer extends Pick<RolloutView, 'iteration' | 'prompt' | 'success'> {
  /** What it came to, in words. */
  readonly outcome: string;
  /** In what it differs from the other answer, where both came to the same words; else empty. */
  readonly why: string;
}

export interface WorldCard {
  readonly preset: string;
  readonly title: string;
  readonly task: string;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  /** Options of the environment that this preset sets to other values than the usual ones. */
  readonly options: readonly { readonly title: string; readonly value: string | number }[];
  readonly parameters: number;
  /** Duration of all iterations when the run was recorded. */
  readonly recordedMs: number;
  /** Success on unseen tasks; in practice where that did not rise, because it was at its best from the start. */
  readonly measure: 'unseen' | 'practice';
  readonly curve: readonly { readonly iteration: number; readonly success: number }[];
  /** Success out of distribution, of the warm start and at the end, and what is new there; null if nothing is. */
  readonly ood: { readonly what: string; readonly rise: readonly [number, number] } | null;
  /** Answers to the same task before the first iteration and after the last. */
  readonly before: CardAnswer;
  readonly after: CardAnswer;
}

type Run = Recording<RunConfig, Metrics, RolloutView>;
type Described = Pick<EnvironmentDescription, 'title' | 'task' | 'tools' | 'options' | 'outOfDistribution'>;

/** Exports of an environment's module that are read here. */
interface EnvironmentModule {
  readonly meta: Omit<Described, 'tools'>;
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
      const { meta, tools } = modules[`../../environments/${run.config.environment.name}/environment.js`];
      return worldCard({ ...meta, title: titles.get(run.preset) ?? meta.title, tools }, run);
    })
    .sort((a, b) => a.recordedMs - b.recordedMs);
}

export function worldCard({ title, task, tools, options, outOfDistribution }: Described, run: Run): WorldCard {
  const [answers] = run.answers;
  const [before, after] = [answers[0], answers[answers.length - 1]];
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
    recordedMs: sum(run.metrics.map(iterationMs)),
    ...successOf(run.metrics),
    ood: oodOf(outOfDistribution, run.heldOut),
    before: answerOf(before, after),
    after: answerOf(after, before),
  };
}

function successOf(metrics: readonly Metrics[]): Pick<WorldCard, 'measure' | 'curve'> {
  const unseen = validationCurve(metrics);
  if (unseen.length > 1 && unseen[unseen.length - 1].success > unseen[0].success)
    return { measure: 'unseen', curve: unseen };
  return { measure: 'practice', curve: metrics.map(({ iteration, success }) => ({ iteration, success })) };
}

function oodOf(what: string | undefined, heldOut: Run['heldOut']): WorldCard['ood'] {
  const [from, to] = [heldOut?.warmStart.outOfDistribution ?? null, heldOut?.end.outOfDistribution ?? null];
  return what === undefined || from === null || to === null ? null : { what, rise: [from, to] };
}

function answerOf(answer: RolloutView, other: RolloutView): CardAnswer {
  const { iteration, prompt, success } = answer;
  const outcome = outcomeInWords(answer);
  return { iteration, prompt, success, outcome, why: outcome === outcomeInWords(other) ? whyOf(answer, other) : '' };
}

/** Two terms of its reward that differ say enough; where none does, its calls. */
function whyOf(answer: RolloutView, other: RolloutView): string {
  const [own, others] = [termsOf(answer), termsOf(other)];
  const terms = Object.entries(own).filter(([name, value]) => name !== toolRewardTerm && value !== (others[name] ?? 0));
  if (terms.length > 0)
    return terms
      .slice(0, 2)
      .map(([name, value]) => `${name} ${formatPlain(value)}`)
      .join(' · ');
  return plural(sum(answer.steps.map(({ toolCalls }) => toolCalls.length)), 'call');
}

/** Reward terms of a whole episode. */
const termsOf = ({ steps }: RolloutView): Record<string, number> =>
  steps.map(({ rewards }) => rewards).reduce(addTerms, {});
