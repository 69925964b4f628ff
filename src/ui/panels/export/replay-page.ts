/**
 * A run as one HTML file that replays it from a disk: its curve, some rollouts and a scrubber. It asks for nothing: its
 * policy allows only its own script and style, by their hashes. Pure.
 */
import { evenly } from '../../../lib/evenly';
import { conversation } from '../../view/rollouts/conversation';
import { text as rollouts } from '../../view/rollouts/text';
import { callText } from '../../view/rollouts/rollout-text';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { ExportedRun, ReplayData, ReplayRollout } from './exported-run';
import script from './replay/replay.js?raw';
import style from './replay/replay.css?raw';
import { escapedXml } from './run-files';
import { text } from './text';

const maxPoints = 500;
/** Of all rollouts together, as JSON; the rest of the file is small beside it. */
const maxRolloutChars = 600_000;
const maxIterations = 60;
const perIteration = 4;

export function replayData(run: ExportedRun): ReplayData {
  const { name, title, note, link } = run;
  return {
    words: text.replay,
    name,
    title,
    note,
    link,
    made: text.replay.made(run.date.slice(0, 10), run.engineVersion, run.config.seed),
    points: evenly(run.metrics, maxPoints).map((row) => [row.iteration, row.validationSuccess, row.success]),
    changes: run.configChanges,
    rollouts: fitting(run.rollouts),
  };
}

export async function replayPage(run: ExportedRun): Promise<string> {
  const policy =
    `default-src 'none'; script-src ${await hashOf(script)}; style-src ${await hashOf(style)}; ` +
    `base-uri 'none'; form-action 'none'`;
  // JSON in a page ends at the first `</script`, also within a string.
  const data = JSON.stringify(replayData(run)).replaceAll('<', '\\u003c');
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapedXml(text.replay.pageTitle(run.name))}</title>`,
    `<style>${style}</style></head><body><main></main>`,
    `<script type="application/json" id="run">${data}</script>`,
    `<script>${script}</script></body></html>\n`,
  ].join('');
}

/** Some rollouts of some steps, so few that all fit. */
function fitting(rollouts: readonly RolloutView[]): readonly ReplayRollout[] {
  const iterations = [...new Set(rollouts.map(({ iteration }) => iteration))].sort((a, b) => a - b);
  for (let count = maxIterations; count > 0; count = Math.floor(count / 2)) {
    const shown = evenly(iterations, count).flatMap((at) =>
      rollouts
        .filter(({ iteration }) => iteration === at)
        .slice(0, perIteration)
        .map(replayRollout),
    );
    if (JSON.stringify(shown).length <= maxRolloutChars) return shown;
  }
  return [];
}

function replayRollout(rollout: RolloutView): ReplayRollout {
  const { iteration, reward, success } = rollout;
  const lines = conversation(rollout).flatMap((entry): ReplayRollout['lines'] => {
    if (entry.kind === 'rewritten') return [];
    if (entry.kind === 'message')
      return [{ who: rollouts.conversation.roles[entry.role], text: entry.text || text.replay.picture }];
    const calls = entry.calls.map((call) => ({ who: text.replay.tool, text: `${callText(call)} → ${call.result}` }));
    return [{ who: text.replay.agent, text: entry.text }, ...calls];
  });
  return { iteration, reward, success, lines };
}

async function hashOf(source: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(source)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}
