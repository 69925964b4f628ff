/** The model card of a run in Markdown; text of others between tags. Pure. */
import { formatPercent } from '../lib/amounts';
import { plainText } from '../lib/plain-text';
import { stepsInWords } from '../lib/sentences';
import { lastValidation } from '../share/run-metrics';
import type { CurveRow } from '../share/curve-svg';
import type { RunConfig } from './config';

/** What the card says of a run. */
export interface CardedRun {
  readonly name: string;
  /** Title of its environment. */
  readonly title: string;
  readonly note: string;
  readonly config: RunConfig;
  readonly metrics: readonly CurveRow[];
  readonly fingerprint: readonly string[];
  /** Iterations after which its config changed. */
  readonly configChanges: readonly number[];
  /** What it was trained on, where that is known. */
  readonly adapter: string | null;
  readonly engineVersion: string;
  /** Opens its setup on the page. */
  readonly link: string;
}

const words = {
  title: (name: string, world: string) => `${name}: ${world}`,
  metric: 'Success on unseen tasks, greedy',
  reproduce: (link: string) => `Make this run again: open <${link}> and press Train.`,
  changed: (link: string, steps: readonly number[]) =>
    `The setup of this run changed after ${stepsInWords(steps)}, so its setup alone does not make it again. ` +
    `Its last setup: <${link}>`,
  made: (engine: string, seed: number, adapter: string | null) =>
    `Engine ${engine}, seed ${seed}${adapter === null ? '' : `, trained on ${adapter}`}.`,
  same: ' The same engine, setup, seed and device give the same bits; on the CPU every machine does.',
  results: 'Results',
  steps: (done: number, total: number) => `${done} of ${total} iterations.`,
  validated: (share: string, tasks: number) => `Success on ${tasks} unseen tasks: ${share}, each token the likeliest.`,
  notValidated: 'It was not validated on unseen tasks.',
  practised: (share: string) => `Success of the rollouts of its last iteration: ${share}.`,
  setup: 'Setup',
  setting: 'Setting',
  value: 'Value',
  model: 'Model',
  shape: (layers: number, width: number, heads: number, context: number) =>
    `transformer, ${layers} layers, width ${width}, ${heads} heads, context of ${context} tokens`,
  algorithm: 'Algorithm',
  batch: 'Rollouts of an iteration',
  groups: (tasks: number, group: number) => `${tasks} tasks, ${group} rollouts each`,
  rate: 'Learning rate',
  fingerprint: (digest: string) => `Fingerprint of its first iterations: \`${digest}\`.`,
  limits: 'The agent knows the tasks of its world and nothing else: it is a small model for study.',
};

/** Markdown under a head that Hugging Face reads. The first thing it says is how to make the run again. */
export function modelCard(run: CardedRun): string {
  const { config, metrics } = run;
  const { model, algorithm, optimizer, rollout } = config;
  const validation = lastValidation(metrics);
  const last = metrics.at(-1);
  const changed = run.configChanges.length > 0;
  return [
    '---',
    ...cardHead(run, validation),
    '---',
    '',
    `# ${words.title(escapedMarkdown(run.name), escapedMarkdown(run.title))}`,
    '',
    changed ? words.changed(run.link, run.configChanges) : words.reproduce(run.link),
    '',
    words.made(escapedMarkdown(run.engineVersion), config.seed, run.adapter && escapedMarkdown(run.adapter)) +
      (changed ? '' : words.same),
    '',
    ...(run.note ? [run.note, ''] : []),
    `## ${words.results}`,
    '',
    words.steps(last?.iteration ?? 0, config.iterations),
    validation === null ? words.notValidated : words.validated(formatPercent(validation), config.evaluation.tasks),
    ...(last ? [words.practised(formatPercent(last.success))] : []),
    '',
    `## ${words.setup}`,
    '',
    `| ${words.setting} | ${words.value} |`,
    '|---|---|',
    `| ${words.model} | ${words.shape(model.layers, model.width, model.heads, model.context)} |`,
    `| ${words.algorithm} | ${algorithm.name} |`,
    `| ${words.batch} | ${words.groups(rollout.tasks, rollout.group)} |`,
    `| ${words.rate} | ${optimizer.learningRate} |`,
    ...(run.fingerprint.length > 0 && !changed ? ['', words.fingerprint(run.fingerprint.at(-1)!)] : []),
    '',
    words.limits,
    '',
  ].join('\n');
}

/** Strings are quoted as JSON, which YAML reads, and hold no markup for a reader that takes the head for Markdown. */
function cardHead({ name, title, config }: CardedRun, validation: number | null): string[] {
  const head = ['library_name: agentlet', 'pipeline_tag: reinforcement-learning', 'tags:'];
  head.push(...['agentlet', 'tool-use', config.algorithm.name].map((tag) => `- ${quotedPlainly(tag)}`));
  if (validation === null) return head;
  return [
    ...head,
    'model-index:',
    `- name: ${quotedPlainly(name)}`,
    '  results:',
    '  - task:',
    '      type: reinforcement-learning',
    '    dataset:',
    `      type: ${quotedPlainly(config.environment.name)}`,
    `      name: ${quotedPlainly(title)}`,
    '    metrics:',
    '    - type: success_rate',
    `      name: ${quotedPlainly(words.metric)}`,
    `      value: ${validation}`,
  ];
}

const maxCharacters = 300;

/** What begins markup, HTML, a formula, a mention or an address that readers of Markdown turn into a link. */
const markup = /[\\`*_{}[\]<>#|!&~$/@^]|(?<=www)\./gi;

/** On one line, as text whatever it says. */
const escapedMarkdown = (content: string): string => plainText(content, maxCharacters).replace(markup, '\\$&');

/** On one line, as a string of JSON or YAML in which nothing begins markup. */
const quotedPlainly = (content: string): string =>
  JSON.stringify(plainText(content, maxCharacters)).replace(
    /[<>[\]!]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
