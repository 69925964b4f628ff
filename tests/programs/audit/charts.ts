/** How long charts of a long run take: the first alone, then all, for more points and while somebody zooms and pans. */
import { heap } from '../soak/gauges';
import { recordingText } from '../../helpers/recorded-run';
import type { drawFrames, Frames } from './charts-entry.svelte';
import { openPart } from './part';
import { atMost, quantile, type Row } from './row';
import { type Visits } from './visit';

const points = 50_000;
const frames = 120;

export async function charts(visits: Visits): Promise<Row[]> {
  const page = await openPart(visits, 'charts-entry.svelte.ts');
  const { first, grown, zoomed, charts } = await page.evaluate(
    ({ recording, points, frames }) =>
      (globalThis as unknown as { audit: { drawFrames: typeof drawFrames } }).audit.drawFrames(
        recording,
        points,
        frames,
      ),
    { recording: recordingText('calculator'), points, frames },
  );
  const { pageBytes } = await heap(page);
  await page.context().close();
  const what = `of ${points / 1000}k points`;
  const all = `${charts} charts ${what}`;
  return [
    ...rowsOf(`the first chart ${what}: an update`, first, 3, 8),
    // A half and the whole of the time between two frames.
    ...rowsOf(`${all}: an update`, grown, 8, 16),
    ...rowsOf(`${all}: a zoom`, zoomed, 8, 16),
    atMost(`${all}: heap`, pageBytes / 1e6, 60, ' MB'),
  ];
}

const rowsOf = (act: string, { updateMs, gapMs }: Frames, halfMs: number, mostMs: number): Row[] => [
  atMost(`${act}, p50`, quantile(updateMs, 0.5), halfMs, ' ms'),
  atMost(`${act}, p95`, quantile(updateMs, 0.95), mostMs, ' ms'),
  atMost(`${act}, between two frames, p95`, quantile(gapMs, 0.95), 25, ' ms'),
];
