/** A run as JSON, its rollouts as JSON lines, and its model card; text of others between tags. Pure. */
import { lastValidation } from '../../../share/run-metrics';
import { formatPercent } from '../../base/format';
import type { ExportedRun } from './exported-run';
import { text } from './text';
import { plainText } from '../../../lib/plain-text';

/** Everything but the rollouts. */
export function runJson({ rollouts: _rollouts, ...run }: ExportedRun): string {
  return `${JSON.stringify({ format: 'agentlet-run', version: 1, ...run }, null, 1)}\n`;
}

/** A line a rollout: tokens, masks, log-probabilities and advantages as they were trained on. */
export const rolloutLines = ({ rollouts }: ExportedRun): string =>
  rollouts.map((rollout) => `${JSON.stringify(rollout)}\n`).join('');

/** Markdown under a head that Hugging Face reads. The first thing it says is how to make the run again. */
export function modelCard(run: ExportedRun): string {
  const { config, metrics } = run;
  const { model, algorithm, optimizer, rollout } = config;
  const validation = lastValidation(metrics);
  const words = text.card;
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
function cardHead({ name, title, config }: ExportedRun, validation: number | null): string[] {
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
    `      name: ${quotedPlainly(text.card.metric)}`,
    `      value: ${validation}`,
  ];
}

const maxCharacters = 300;

/** On one line, with characters that XML allows only. */
export const escapedXml = (words: string): string =>
  plainText(words, maxCharacters).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What begins markup, HTML, a formula, a mention or an address that readers of Markdown turn into a link. */
const markup = /[\\`*_{}[\]<>#|!&~$/@^]|(?<=www)\./gi;

/** On one line, as text whatever it says. */
export const escapedMarkdown = (words: string): string => plainText(words, maxCharacters).replace(markup, '\\$&');

/** On one line, as a string of JSON or YAML in which nothing begins markup. */
export const quotedPlainly = (words: string): string =>
  JSON.stringify(plainText(words, maxCharacters)).replace(
    /[<>[\]!]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
