/** How long the charts of a long run take: for ten more points a frame, and while somebody zooms and pans. */
import { heap } from '../soak/gauges';
import { recordingText } from '../../helpers/recorded-run';
import type { drawFrames } from './charts-entry.svelte';
import { openPart } from './part';
import { atMost, quantile, type Row } from './row';
import { type Visits } from './visit';

const points = 50_000;
const frames = 120;

export async function charts(visits: Visits): Promise<Row[]> {
  const page = await openPart(visits, 'charts-entry.svelte.ts');
  const { grown, zoomed } = await page.evaluate(
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
  const what = `4 charts of ${points / 1000}k points`;
  return [
    ...(
      [
        ['an update', grown],
        ['a zoom', zoomed],
      ] as const
    ).flatMap(([act, { updateMs, gapMs }]) => [
      atMost(`${what}: ${act}, p50`, quantile(updateMs, 0.5), 3, ' ms'),
      atMost(`${what}: ${act}, p95`, quantile(updateMs, 0.95), 8, ' ms'),
      atMost(`${what}: ${act}, between two frames, p95`, quantile(gapMs, 0.95), 25, ' ms'),
    ]),
    atMost(`${what}: heap`, pageBytes / 1e6, 60, ' MB'),
  ];
}
