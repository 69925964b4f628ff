/** A chart saved as a picture: its plot, a title with a legend, and its sentence, on a canvas that notes each call. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { savePicture, type PicturedChart } from '../../src/ui/view/charts/picture';
import type { ChartSpec } from '../../src/presentation/charts/specs';

let calls: (readonly [name: string, ...args: unknown[]])[];
let canvas: { width: number; height: number };
let files: string[];
let blob: Blob | null;

/** Letters are 10 pixels wide. */
const context = () =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name: string) =>
        name === 'measureText'
          ? (text: string) => ({ width: 10 * text.length })
          : (...args: unknown[]) => void calls.push([name, ...args]),
      set: (_, name: string, value: unknown) => !!calls.push([`${name}=`, value]),
    },
  );

beforeEach(() => {
  calls = [];
  files = [];
  blob = new Blob(['png']);
  vi.useFakeTimers();
  vi.stubGlobal('devicePixelRatio', 2);
  vi.stubGlobal('URL', { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined });
  vi.stubGlobal('document', {
    createElement: (tag: string) =>
      tag === 'canvas'
        ? (canvas = Object.assign(
            { width: 0, height: 0 },
            { getContext: () => context(), toBlob: (done: (made: Blob | null) => void) => done(blob) },
          ))
        : {
            download: '',
            click() {
              files.push(this.download);
            },
          },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const spec = {
  name: 'Tool calls',
  series: [
    { label: 'agent', colour: 'series-1' },
    { label: 'tool', colour: 'series-2', dash: [6, 4] },
  ],
} as unknown as ChartSpec;
const chart: PicturedChart = {
  ghost: null,
  summary: 'They rose.',
  palette: (token) => `colour of ${token}`,
  fileName: 'run-3',
};
const plot = { width: 400, height: 200 } as HTMLCanvasElement;
const texts = () => calls.filter(([name]) => name === 'fillText').map(([, ...args]) => args);

test('the plot stands between a margin for its title and one for its sentence, as fine as the screen', async () => {
  await savePicture(plot, spec, chart);
  expect([canvas.width, canvas.height]).toEqual([400, 200 + 2 * 30 * 2]);
  expect(calls).toContainEqual(['drawImage', plot, 0, 60]);
  expect(calls).toContainEqual(['fillRect', 0, 0, 400, 320]);
  expect(calls.find(([name]) => name === 'fillStyle=')).toEqual(['fillStyle=', 'colour of surface-raised']);
  expect(calls).toContainEqual(['scale', 2, 2]);
  expect(texts()[0]).toEqual(['Tool calls', 10, 15]);
  expect(texts()[1], 'in the middle of the lower margin, no wider than the picture').toEqual([
    'They rose.',
    10,
    160 - 15,
    180,
  ]);
});

test('the legend follows the title: each line with its colour and dashes, one behind the other', async () => {
  await savePicture(plot, spec, { ...chart, ghost: { name: 'recorded run', points: [] } });
  expect(texts().slice(2)).toEqual([
    ['agent', 126 + 26, 15],
    ['tool', 126 + 26 + 50 + 14 + 26, 15],
    ['recorded run', 126 + 2 * 26 + 50 + 40 + 2 * 14 + 26, 15],
  ]);
  expect(calls.filter(([name]) => name === 'setLineDash').map(([, dash]) => dash)).toEqual([[], [6, 4], [2, 4]]);
  const colours = calls.filter(([name]) => name === 'strokeStyle=').map(([, colour]) => colour);
  expect(colours).toEqual(['colour of series-1', 'colour of series-2', 'colour of ghost']);
  expect(calls.filter(([name]) => name === 'moveTo' || name === 'lineTo').slice(0, 2)).toEqual([
    ['moveTo', 126, 15],
    ['lineTo', 146, 15],
  ]);
});

test('the file is named after the run and the chart; a browser that refuses saves none', async () => {
  await savePicture(plot, spec, chart);
  expect(files).toEqual(['run-3-tool-calls.png']);
  blob = null;
  await savePicture(plot, spec, chart);
  expect(files).toHaveLength(1);
});
