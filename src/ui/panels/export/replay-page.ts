/**
 * A run as one HTML file that replays it from a disk: its curve, some rollouts and a scrubber. It asks for nothing: its
 * policy allows only its own script and style, by their hashes. Pure.
 */
import { evenly } from '../../../lib/evenly';
import type { RolloutView } from '../../../rl/rollouts/view';
import { curveBox, curveSvg } from '../../../share/curve-svg';
import { iterationsOf } from '../../../share/rollout-groups';
import { conversation } from '../../view/rollouts/conversation';
import { callText } from '../../view/rollouts/rollout-text';
import { text as rollouts } from '../../view/rollouts/text';
import type { ExportedRun, ReplayData } from './exported-run';
import script from './replay/replay.js?raw';
import style from './replay/replay.css?raw';
import { text } from './text';

const maxPoints = 500;
/** Of all rollouts together, as HTML; the rest of the file is small beside it. */
const maxRolloutChars = 600_000;
const maxIterations = 60;
const perIteration = 4;

const words = text.replay;

export async function replayPage(run: ExportedRun): Promise<string> {
  const metrics = evenly(run.metrics, maxPoints);
  const last = metrics.at(-1)?.iteration ?? 1;
  const { step, unseen, practice, empty, play, pause } = words;
  const data: ReplayData = {
    words: { step, unseen, practice, empty, play, pause },
    points: metrics.map((row) => [row.iteration, row.validationSuccess, row.success]),
    box: curveBox,
  };
  const policy =
    `default-src 'none'; script-src ${await hashOf(script)}; style-src ${await hashOf(style)}; ` +
    `base-uri 'none'; form-action 'none'`;
  const made = words.made(run.date.slice(0, 10), run.engineVersion, run.config.seed);
  const picture = curveSvg(text.curveTitle(run.name), metrics, run.configChanges);
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(words.pageTitle(run.name))}</title><style>${style}</style></head><body><main>`,
    `<h1>${escaped(run.name)}</h1><p>${escaped(`${run.title}. ${made}`)} `,
    `<a href="${escaped(run.link)}" rel="noreferrer">${words.open}</a></p>`,
    run.note && `<p>${escaped(run.note)}</p>`,
    `<figure role="img" aria-label="${words.curve}">`,
    picture.replace('</svg>', '<path id="mark"/></svg>'),
    `</figure><div class="bar"><button type="button">${play}</button>`,
    `<input type="range" min="1" max="${last}" value="${last}" aria-label="${step}"></div><output></output>`,
    sectionsOf(run.rollouts) || `<section data-at="0"><h2>${words.noAttempts}</h2></section>`,
    // A script's text ends at the first `</script`, also within a string.
    `</main><script type="application/json" id="run">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    `<script>${script}</script></body></html>\n`,
  ].join('');
}

/** A section for each of some iterations with some of its rollouts, so few that all fit. */
function sectionsOf(all: readonly RolloutView[]): string {
  const iterations = iterationsOf(all);
  for (let count = maxIterations; count > 0; count = Math.floor(count / 2)) {
    const sections = evenly(iterations, count).map((at) => {
      const shown = all.filter(({ iteration }) => iteration === at).slice(0, perIteration);
      const title = `<h2>${words.attempts}, ${words.step} ${at}</h2>`;
      return `<section data-at="${at}" aria-label="${words.attempts}">${title}${shown.map(article).join('')}</section>`;
    });
    const html = sections.join('');
    if (html.length <= maxRolloutChars) return html;
  }
  return '';
}

function article(rollout: RolloutView): string {
  const { reward, success } = rollout;
  const line = (who: string, said: string): string => `<p class="line"><b>${who}</b> <span>${escaped(said)}</span></p>`;
  const lines = conversation(rollout).map((entry): string => {
    if (entry.kind === 'rewritten') return '';
    if (entry.kind === 'message') return line(rollouts.conversation.roles[entry.role], entry.text || words.picture);
    const calls = entry.calls.map((call) => line(words.tool, `${callText(call)} → ${call.result}`));
    return line(words.agent, entry.text) + calls.join('');
  });
  const head = `<h3>${success ? '✓' : '✗'} ${words.reward} ${reward}</h3>`;
  return `<article class="${success ? 'good' : 'bad'}">${head}${lines.join('')}</article>`;
}

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

async function hashOf(source: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(source)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}
