/** Runs in a page of its own: the Lab's charts with more points than a run keeps. */
import { flushSync, mount } from 'svelte';
import '../../../src/ui/base/styles/theme.css';
import '../../../src/ui/base/styles/base.css';
import '../../../src/ui/base/styles/controls.css';
import type { Metrics } from '../../../src/rl/report';
import { unpackRecording, type RecordingFile } from '../../../src/share/recording-file';
import Charts from '../../../src/ui/view/charts/Charts.svelte';

const pointsAFrame = 10;
/** What somebody presses who looks around in a run, one a frame. */
const looks = ['Zoom in', 'Move left', 'Zoom in', 'Move right', 'Zoom out', 'Zoom out'];

export interface Frames {
  /** Of each frame: what the page computes and draws, and the time since the frame before. */
  readonly updateMs: readonly number[];
  readonly gapMs: readonly number[];
}

export interface Drawn {
  /** With ten new points a frame: of the first chart alone, as the Lab opens, and of all charts. */
  readonly first: Frames;
  readonly grown: Frames;
  /** Of all charts, while the view changes. */
  readonly zoomed: Frames;
  readonly charts: number;
}

/** @param recording the file of a recorded run, whose points are repeated */
export async function drawFrames(recording: string, points: number, frames: number): Promise<Drawn> {
  const { metrics: recorded } = unpackRecording(JSON.parse(recording) as RecordingFile) as {
    metrics: readonly Metrics[];
  };
  const most = points + 2 * frames * pointsAFrame;
  const all = Array.from({ length: most }, (_, i): Metrics => ({
    ...recorded[i % recorded.length],
    iteration: i + 1,
  }));
  let metrics = $state.raw<readonly Metrics[]>(all.slice(0, points));
  mount(Charts, {
    target: document.body,
    props: {
      get metrics() {
        return metrics;
      },
      total: all.length,
      ghost: null,
      runName: 'audit',
      busy: true,
      marks: [],
      turn: null,
      cursor: null,
      inset: null,
    },
  });
  const grow = () => {
    const next = all.slice(0, metrics.length + pointsAFrame);
    return () => (metrics = next);
  };
  await settled();
  const first = await timed(frames, grow);
  document.querySelector('details')!.open = true;
  await settled();
  const grown = await timed(frames, grow);
  const zoomed = await timed(frames, (frame) => {
    const button = buttonOf(looks[frame % looks.length]);
    return () => button.click();
  });
  return { first, grown, zoomed, charts: document.querySelectorAll('figure').length };
}

async function settled(): Promise<void> {
  for (let settle = 0; settle < 10; settle++) await nextFrame();
}

/** @param prepare gives what changes in a frame */
async function timed(frames: number, prepare: (frame: number) => () => void): Promise<Frames> {
  const updateMs: number[] = [];
  const gapMs: number[] = [];
  let lastMs = await nextFrame();
  for (let frame = 0; frame < frames; frame++) {
    const change = prepare(frame);
    let drawBeginMs = 0;
    requestAnimationFrame(() => (drawBeginMs = performance.now()));
    const beginMs = performance.now();
    change();
    flushSync();
    const computedMs = performance.now() - beginMs;
    // The charts asked for the next frame between the two.
    const atMs = await nextFrame();
    updateMs.push(computedMs + performance.now() - drawBeginMs);
    gapMs.push(atMs - lastMs);
    lastMs = atMs;
  }
  return { updateMs, gapMs };
}

const buttonOf = (label: string): HTMLButtonElement =>
  document.querySelector<HTMLButtonElement>(`[role="toolbar"] button[aria-label="${label}"]`)!;

const nextFrame = (): Promise<number> => new Promise((frame) => requestAnimationFrame(frame));
