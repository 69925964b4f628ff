/** Makes a file of a run and saves it. */
import { metricsCsv } from '../../../share/metrics-csv';
import { download, pngOf } from '../../base/download';
import { sentenceOf } from '../../../lib/sentences';
import { modelCard } from '../../../config/model-card';
import { curveBox } from '../../../share/curve-svg';
import { replayPage } from '../../../presentation/replay/page';
import { curveOf, fileNameOf, rolloutLines, runJson, type ExportedRun } from '../../../presentation/run-files';
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

const makers: Readonly<Record<FileKind, (run: ExportedRun, weights: Weights) => Promise<Made>>> = {
  html: async (run) => [await replayPage(run), '.html', 'text/html'],
  card: async (run) => [modelCard(run), '-README.md', 'text/markdown'],
  json: async (run) => [runJson(run), '.json', 'application/json'],
  csv: async (run) => [metricsCsv(run.metrics), '.csv', 'text/csv'],
  jsonl: async (run) => [rolloutLines(run), '-rollouts.jsonl', 'application/x-ndjson'],
  svg: async (run) => [curveOf(run), '.svg', 'image/svg+xml'],
  png: async (run) => [(await pngOf(curveOf(run), curveBox)) ?? '', '.png', 'image/png'],
  safetensors: async (_, weights) => [new Uint8Array(await weights!()), '.safetensors', 'application/octet-stream'],
};
