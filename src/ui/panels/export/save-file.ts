/** Makes a file of a run and saves it. */
import { metricsCsv } from '../../../share/metrics-csv';
import { download, pngOf } from '../../base/download';
import { sentenceOf } from '../../../lib/sentences';
import { modelCard } from '../../../config/model-card';
import { curveBox, curveSvg } from '../../../share/curve-svg';
import { fileNameOf, type ExportedRun } from './exported-run';
import { replayPage } from './replay-page';
import { text } from './text';

export type FileKind = keyof typeof text.kinds;
/** Null where the weights are not kept. */
export type Weights = (() => Promise<Uint8Array>) | null;
type Made = readonly [content: BlobPart | Blob, ending: string, type: string];

/** Rejects with a sentence. */
export async function saveFile(kind: FileKind, source: () => Promise<ExportedRun>, weights: Weights): Promise<void> {
  try {
    const run = await source();
    if (run.metrics.length === 0 && kind !== 'safetensors') throw new Error(text.noCurve);
    const [content, ending, type] = await makers[kind](run, weights);
    download(fileNameOf(run) + ending, new Blob([content], { type }));
  } catch (error) {
    throw new Error(text.failed(sentenceOf(error)), { cause: error });
  }
}

/** Everything but the rollouts. */
export function runJson({ rollouts: _rollouts, draw: _draw, ...run }: ExportedRun): string {
  return `${JSON.stringify({ format: 'agentlet-run', version: 1, ...run }, null, 1)}\n`;
}

/** A line a rollout: tokens, masks, log-probabilities and advantages as they were trained on. */
export const rolloutLines = ({ rollouts }: ExportedRun): string =>
  rollouts.map((rollout) => `${JSON.stringify(rollout)}\n`).join('');

const picture = (run: ExportedRun): string => curveSvg(text.curveTitle(run.name), run.metrics, run.configChanges);

const makers: Readonly<Record<FileKind, (run: ExportedRun, weights: Weights) => Promise<Made>>> = {
  html: async (run) => [await replayPage(run), '.html', 'text/html'],
  card: async (run) => [modelCard(run), '-README.md', 'text/markdown'],
  json: async (run) => [runJson(run), '.json', 'application/json'],
  csv: async (run) => [metricsCsv(run.metrics), '.csv', 'text/csv'],
  jsonl: async (run) => [rolloutLines(run), '-rollouts.jsonl', 'application/x-ndjson'],
  svg: async (run) => [picture(run), '.svg', 'image/svg+xml'],
  png: async (run) => [(await pngOf(picture(run), curveBox)) ?? '', '.png', 'image/png'],
  safetensors: async (_, weights) => [new Uint8Array(await weights!()), '.safetensors', 'application/octet-stream'],
};
