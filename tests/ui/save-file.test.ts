/** Files of a run: what each kind is called and holds, how it is saved, and why one cannot be made. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { isRowsFile, textOf } from '../../src/ui/base/download';
import { saveFile, type FileKind } from '../../src/ui/panels/export/save-file';
import type { ExportedRun } from '../../src/presentation/run-files';
import { metricsRow } from '../helpers/metrics-row';

const run: ExportedRun = {
  name: 'brave otter',
  title: 'Calculator',
  note: '',
  config: presetByName('calculator-mini').config,
  metrics: [metricsRow(1, { success: 0.25 })],
  rollouts: [],
  draw: async () => null,
  fingerprint: [],
  configChanges: [],
  adapter: 'CPU',
  engineVersion: '0.9.0',
  date: '2026-11-22T10:00:00.000Z',
  link: 'https://example.org/#/lab?v=1&seed=1',
};
const noRow = { ...run, metrics: [] };

/** Files that were saved: name, type and content. */
let saved: [string, string, string][];
/** Addresses that a browser holds a blob for. */
let held: Map<string, Blob>;
/** Sizes of canvases that were drawn on, and what was drawn there. */
let drawn: unknown[];

beforeEach(() => {
  vi.useFakeTimers();
  [saved, held, drawn] = [[], new Map(), []];
  let made = 0;
  vi.stubGlobal('URL', {
    createObjectURL: (blob: Blob) => {
      held.set(`blob:${++made}`, blob);
      return `blob:${made}`;
    },
    revokeObjectURL: (url: string) => held.delete(url),
  });
  class Picture {
    src = '';
    decode = async () => {
      if (!held.has(this.src)) throw new Error('There is no picture.');
    };
  }
  vi.stubGlobal('Image', Picture);
  vi.stubGlobal('document', {
    createElement: (name: string) => (name === 'a' ? new Link() : name === 'canvas' ? new Canvas() : undefined),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What a press on it saves. */
class Link {
  href = '';
  download = '';
  click(): void {
    const blob = held.get(this.href)!;
    files.push(blob.text().then((content) => [this.download, blob.type, content]));
  }
}
let files: Promise<[string, string, string]>[] = [];

class Canvas {
  width = 0;
  height = 0;
  getContext(kind: string) {
    if (kind !== '2d') return null;
    return { drawImage: (image: object, ...place: number[]) => drawn.push([image.constructor.name, place]) };
  }
  toBlob(found: (blob: Blob) => void, type: string): void {
    found(new Blob([`${this.width} x ${this.height}`], { type }));
  }
}

async function save(kind: FileKind, of: ExportedRun = run, weights: (() => Promise<Uint8Array>) | null = null) {
  files = [];
  await saveFile(kind, async () => of, weights);
  saved = await Promise.all(files);
  expect(saved).toHaveLength(1);
  return saved[0];
}

test.each([
  ['html', 'brave-otter-1.html', 'text/html', '<!doctype html>'],
  ['card', 'brave-otter-1-README.md', 'text/markdown', '---'],
  ['json', 'brave-otter-1.json', 'application/json', '{\n "format": "agentlet-run"'],
  ['csv', 'brave-otter-1.csv', 'text/csv', 'iteration,'],
  ['jsonl', 'brave-otter-1-rollouts.jsonl', 'application/x-ndjson', ''],
  ['svg', 'brave-otter-1.svg', 'image/svg+xml', '<svg'],
] as const)('%s is a file of the run', async (kind, name, type, begins) => {
  const [saidName, saidType, content] = await save(kind);
  expect([saidName, saidType]).toEqual([name, type]);
  expect(content.toLowerCase().startsWith(begins)).toBe(true);
});

test('png is the picture, twice as fine, and nothing of it is held afterwards', async () => {
  const [name, type, content] = await save('png');
  const [width, height] = content.split(' x ').map(Number);
  expect([name, type, drawn]).toEqual(['brave-otter-1.png', 'image/png', [['Picture', [0, 0, width, height]]]]);
  expect([width > height, height > 400]).toEqual([true, true]);
  // The browser may take its time to save.
  await vi.advanceTimersByTimeAsync(9000);
  expect(held.size).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(held.size).toBe(0);
});

test('weights need no iteration, the others do', async () => {
  const weights = async () => new TextEncoder().encode('weights');
  expect(await save('safetensors', noRow, weights)).toEqual([
    'brave-otter-0.safetensors',
    'application/octet-stream',
    'weights',
  ]);
  await expect(saveFile('csv', async () => noRow, weights)).rejects.toThrow(
    'The file could not be made: There is no iteration to export yet.',
  );
  const lost = () => Promise.reject(new Error('the run is gone'));
  await expect(saveFile('csv', lost, null)).rejects.toThrow('The file could not be made: the run is gone.');
});

test('a file that is opened is read as UTF-8, its byte order mark included', async () => {
  const file = (...bytes: number[]) => ({ arrayBuffer: async () => Uint8Array.from(bytes).buffer }) as unknown as File;
  expect(await textOf(file(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  await expect(textOf(file(0x61, 0xff))).rejects.toThrow();
});

test('rows of data are told from code by their names', () => {
  const names = ['a.jsonl', 'A.JSON', 'b.ndjson', 'c.csv', 'd.tsv', 'e.js', 'json', 'f.json.js'];
  expect(names.filter((name) => isRowsFile({ name }))).toEqual(names.slice(0, 5));
});
