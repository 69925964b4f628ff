/**
 * A run as one HTML file that replays it from a disk: its curve, some rollouts and a scrubber. It asks for nothing: its
 * policy allows only its own script and style, by their hashes. Pure.
 */
import type { Drawing } from '../../agent/drawing';
import { evenly } from '../../lib/evenly';
import type { RolloutView } from '../../rl/rollouts/view';
import { curveBox } from '../../share/curve-svg';
import { iterationsOf } from '../../share/rollout-groups';
import { conversation } from '../conversation';
import { htmlHead, htmlText } from '../html';
import { callText } from '../rollout-text';
import { marksOf, wordsOf } from '../../share/scenes/marks';
import { elementOf, pagePaint, scenePalette, type SceneElement } from '../../share/scenes/svg';
import { curveOf, type ExportedRun } from '../run-files';
import type { ReplayData, ReplayDrawing } from './data';
import script from './replay.js?raw';
import style from './replay.css?raw';
import { text } from '../text';

const maxPoints = 500;
/** Of all rollouts together, as HTML; the rest of the file is small beside it. */
const maxRolloutChars = 450_000;
/** Of all drawings together, as JSON. Rollouts after that are shown without one. */
const maxDrawingChars = 350_000;
const maxIterations = 60;
const perIteration = 4;

const words = text.replay;

/** @param run `link`: null where the address of the page is not known */
export async function replayPage(run: Omit<ExportedRun, 'link'> & { readonly link: string | null }): Promise<string> {
  const metrics = evenly(run.metrics, maxPoints);
  const last = metrics.at(-1)?.iteration ?? 1;
  const { step, unseen, practice, empty, play, pause, turn } = words;
  const shown = shownOf(run.rollouts);
  const everyRollout = shown.flatMap(([, rollouts]) => rollouts);
  // The world may be gone, or have been changed since: the replay does without.
  const drawn = await run.draw(everyRollout).catch(() => null);
  const data: ReplayData = {
    words: { step, unseen, practice, empty, play, pause, turn },
    points: metrics.map((row) => [row.iteration, row.validationSuccess, row.success]),
    box: curveBox,
    ...drawingsOf(drawn ?? [], everyRollout),
  };
  const styles = `:root{${scenePalette()}}${style}`;
  const made = words.made(run.date.slice(0, 10), run.engineVersion, run.config.seed);
  const picture = curveOf({ ...run, metrics });
  return [
    await htmlHead(words.pageTitle(run.name), styles, [script]),
    '<body><main>',
    `<h1>${htmlText(run.name)}</h1><p>${htmlText(`${run.title}. ${made}`)} `,
    run.link === null ? '' : `<a href="${htmlText(run.link)}" rel="noreferrer">${words.open}</a>`,
    '</p>',
    run.note && `<p>${htmlText(run.note)}</p>`,
    `<figure role="img" aria-label="${words.curve}">`,
    picture.replace('</svg>', '<path id="mark"/></svg>'),
    `</figure><div class="bar"><button type="button">${play}</button>`,
    `<input type="range" min="1" max="${last}" value="${last}" aria-label="${step}"></div><output></output>`,
    sectionsOf(shown) || `<section data-at="0"><h2>${words.noRollouts}</h2></section>`,
    // A script's text ends at the first `</script`, also within a string.
    `</main><script type="application/json" id="run">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
    `<script>${script}</script></body></html>\n`,
  ].join('');
}

type Shown = readonly (readonly [iteration: number, rollouts: readonly RolloutView[]])[];

/** Some rollouts of some iterations, so few that all fit. */
function shownOf(all: readonly RolloutView[]): Shown {
  const iterations = iterationsOf(all);
  for (let count = maxIterations; count > 0; count = Math.floor(count / 2)) {
    const shown = evenly(iterations, count).map(
      (at) => [at, all.filter(({ iteration }) => iteration === at).slice(0, perIteration)] as const,
    );
    if (sectionsOf(shown).length <= maxRolloutChars) return shown;
  }
  return [];
}

/** A section for each iteration. */
function sectionsOf(shown: Shown): string {
  const sections = shown.map(([at, rollouts]) => {
    const title = `<h2>${words.rollouts}, ${words.step} ${at}</h2>`;
    const articles = rollouts.map(article).join('');
    return `<section data-at="${at}" aria-label="${words.rollouts}">${title}${articles}</section>`;
  });
  return sections.join('');
}

/** Drawings as data, of which the script makes elements. One of each iteration comes first, then the others. */
function drawingsOf(
  drawn: readonly Drawing[],
  rollouts: readonly RolloutView[],
): Pick<ReplayData, 'elements' | 'drawings'> {
  const places = new Map<string, number>();
  const drawings: Record<number, ReplayDrawing> = {};
  let chars = 0;
  const first = (i: number) => rollouts[i - 1]?.iteration !== rollouts[i].iteration;
  const order = [...drawn.keys()].sort((a, b) => Number(first(b)) - Number(first(a)) || a - b);
  for (const at of order) {
    const drawing = drawn[at];
    if (!('scenes' in drawing)) continue;
    const known = places.size;
    const { scenes } = drawing;
    const replay = {
      width: Math.max(...scenes.map(({ width }) => width)),
      height: Math.max(...scenes.map(({ height }) => height)),
      scenes: scenes.map((scene) => ({
        words: wordsOf(scene),
        of: marksOf(scene).map((mark) => placeIn(places, JSON.stringify(elementOf(mark, pagePaint)))),
      })),
    };
    chars += JSON.stringify(replay).length;
    for (const element of [...places.keys()].slice(known)) chars += element.length;
    if (chars > maxDrawingChars) break;
    drawings[at] = replay;
  }
  return { elements: [...places.keys()].map((each) => JSON.parse(each) as SceneElement), drawings };
}

function placeIn(places: Map<string, number>, key: string): number {
  const known = places.get(key);
  if (known !== undefined) return known;
  places.set(key, places.size);
  return places.size - 1;
}

function article(rollout: RolloutView): string {
  const { reward, success } = rollout;
  const line = (who: string, said: string): string =>
    `<p class="line"><b>${who}</b> <span>${htmlText(said)}</span></p>`;
  const lines = conversation(rollout).map((entry): string => {
    if (entry.kind === 'rewritten') return '';
    if (entry.kind === 'message') return line(text.conversation.roles[entry.role], entry.text || words.picture);
    const calls = entry.calls.map((call) => line(words.tool, `${callText(call)} → ${call.result}`));
    return line(words.agent, entry.text) + calls.join('');
  });
  const head = `<h3>${success ? '✓' : '✗'} ${words.reward} ${reward}</h3>`;
  return `<article class="${success ? 'good' : 'bad'}">${head}${lines.join('')}</article>`;
}
