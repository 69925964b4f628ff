/**
 * Whether text of environments is only ever text: a recording and links that carry hostile texts in every place the
 * page shows, and a look at the document for what text cannot make.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { packBlob } from '../../src/share/blob';
import { packRecording, unpackRecording, type RecordingFile } from '../../src/share/recording-file';

/**
 * The site's own recording with the texts in every field that an environment, an agent or an author writes; one text a
 * rollout.
 */
export function hostileRecording(texts: readonly string[]): string {
  const file = readFileSync(join(import.meta.dirname, '../../public/recordings/calculator.json'), 'utf8');
  const recording = unpackRecording(JSON.parse(file) as RecordingFile) as Recording;
  const all = texts.join(' ');
  const last = recording.metrics.at(-1)!.iteration;
  const rollouts = texts.map((text, i) =>
    hostileRollout(recording.rollouts[i % recording.rollouts.length], text, i, last),
  );
  const vocabulary = recording.vocabulary.map((word, id) =>
    id < recording.specialTokens.length ? word : texts[id % texts.length],
  );
  const terms = Object.fromEntries(texts.map((text) => [text, 1]));
  const metrics = recording.metrics.map((row) => ({ ...row, rewardTerms: terms }));
  const hostile = {
    ...recording,
    adapter: all,
    command: all,
    engineVersion: all,
    vocabulary,
    metrics,
    rollouts,
    answers: rollouts.map((rollout) => [rollout, rollout, rollout]),
  };
  return JSON.stringify(packRecording(hostile));
}

interface Recording {
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  readonly metrics: readonly { readonly iteration: number }[];
  readonly rollouts: readonly { readonly steps: readonly object[] }[];
}

function hostileRollout(
  rollout: Recording['rollouts'][number],
  text: string,
  index: number,
  iteration: number,
): object {
  const call = { name: text, arguments: { [text]: text }, result: text, error: text };
  const messages = ['system', 'user', 'tool'].map((role) => ({ role, content: text }));
  const steps = rollout.steps.map((step) => ({
    ...step,
    text,
    messages,
    toolCalls: [call, { ...call, error: undefined }],
    rewards: { [text]: 1 },
    error: 'tool-error',
  }));
  return { ...rollout, index, iteration, group: index, taskId: text, prompt: text, answer: text, steps };
}

/** A link that says the text wherever a link that can be opened says one. */
export async function hostileLink(text: string): Promise<string> {
  const said = encodeURIComponent(text.slice(0, 200).toWellFormed());
  const x = await packBlob({ source: text, adapter: text.slice(0, 120), curve: 'A'.repeat(86), reached: 9 });
  return `#/lab?v=1&preset=calculator&ev=${said}&${said}=${said}&reward.${said}=1&opt.max=${said}&mlp=${said}&x=${x}`;
}

/** A link that cannot be opened, for a reason that says the text. */
export const unreadableLink = (text: string): string =>
  `#/lab?v=1&preset=${encodeURIComponent(text.slice(0, 200).toWellFormed())}`;

/**
 * Counts what text cannot make: elements by kind, and elements with a handler or an address. Equal counts before and
 * after mean that text stayed text.
 */
export function makings(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() => {
    const counts: Record<string, number> = {};
    const count = (name: string) => (counts[name] = (counts[name] ?? 0) + 1);
    const ordinary =
      'script,iframe,img,base,meta,link,object,embed,form,style,math,audio,video,noscript,template,frame,' +
      'marquee,animate,textarea,title';
    // The page itself links scripts and styles of its own when it first needs them.
    const ownFiles = new URL('assets/', document.baseURI).href;
    for (const element of document.querySelectorAll(ordinary))
      if (!(element instanceof HTMLLinkElement && element.href.startsWith(ownFiles))) count(`<${element.localName}>`);
    for (const element of document.querySelectorAll('*'))
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) count(`an attribute ${name}`);
        if (
          /^(href|src|action|formaction|srcset|poster|xlink:href)$/.test(name) &&
          !/^(#|\.\/|https?:\/\/127\.0\.0\.1|https:\/\/github\.com)/.test(value)
        )
          count(`${name} to ${value.slice(0, 60)}`);
        if (/^(id|name)$/.test(name) && /^(body|parentNode|getElementById|document|own-xss)$/.test(value))
          count(`${name} ${value}`);
      }
    return counts;
  });
}

/** Cells of a CSV that a spreadsheet would take for a formula. */
export function formulasIn(csv: string): string[] {
  const cells = csv.split('\n').flatMap((line) => line.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []);
  return cells
    .map((cell) => cell.replace(/^"|"$/g, ''))
    .filter((cell) => /^[=+\-@\t\r]/.test(cell) && !Number.isFinite(Number(cell)));
}
