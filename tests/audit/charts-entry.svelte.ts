/** Runs in a page of its own: the Lab's charts with more points than a run keeps, and ten new ones a frame. */
import { flushSync, mount } from 'svelte';
import '../../src/ui/shell/theme.css';
import '../../src/ui/shell/base.css';
import '../../src/ui/shell/controls.css';
import type { Metrics } from '../../src/rl/report';
import { unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import Charts from '../../src/ui/charts/Charts.svelte';

const pointsAFrame = 10;

export interface Frames {
  /** Of each frame: what the page computes and draws, and the time since the frame before. */
  readonly updateMs: readonly number[];
  readonly gapMs: readonly number[];
}

/** @param file a recorded run, whose points are repeated */
export async function drawFrames(file: RecordingFile, points: number, frames: number): Promise<Frames> {
  const { metrics: recorded } = unpackRecording(file) as { metrics: readonly Metrics[] };
  const all = Array.from({ length: points + frames * pointsAFrame }, (_, i): Metrics => ({
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
    },
  });
  for (let settle = 0; settle < 10; settle++) await nextFrame();
  const updateMs: number[] = [];
  const gapMs: number[] = [];
  let lastMs = await nextFrame();
  for (let frame = 1; frame <= frames; frame++) {
    const next = all.slice(0, points + frame * pointsAFrame);
    let drawBeginMs = 0;
    requestAnimationFrame(() => (drawBeginMs = performance.now()));
    const beginMs = performance.now();
    metrics = next;
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

const nextFrame = (): Promise<number> => new Promise((frame) => requestAnimationFrame(frame));
