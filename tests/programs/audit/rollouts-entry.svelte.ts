/** Runs in a page of its own: the list of rollouts and the reader, with more of both than most runs have. */
import { flushSync, mount } from 'svelte';
import '../../../src/ui/base/styles/theme.css';
import '../../../src/ui/base/styles/base.css';
import '../../../src/ui/base/styles/controls.css';
import type { RolloutView, StepView } from '../../../src/rl/rollouts/view';
import { unpackRecording, type RecordingFile } from '../../../src/share/recording-file';
import Inspector from '../../../src/ui/view/rollouts/Inspector.svelte';
import { Reading } from '../../../src/ui/view/rollouts/reading.svelte';
import Rollouts from '../../../src/ui/panels/run/Rollouts.svelte';
import { sameGroup } from '../../../src/share/rollout-groups';
import type { RecordedRun } from '../../../src/ui/state/run/recordings.svelte';

const groupSize = 8;
const scrollPx = 340;

export interface ReadingTimes {
  /** Rows of the list. */
  readonly rows: number;
  /** Between two frames while the list scrolls. */
  readonly gapMs: readonly number[];
  /** From a press to the frame that shows it: the attempts of a group side by side, one rollout's tokens. */
  readonly groupMs: readonly number[];
  readonly rolloutMs: readonly number[];
}

/**
 * @param recording the file of a recorded run, whose rollouts are repeated, each with `tokens` tokens
 */
export async function readRollouts(
  recording: string,
  count: number,
  tokens: number,
  frames: number,
): Promise<ReadingTimes> {
  const run = unpackRecording(JSON.parse(recording) as RecordingFile) as RecordedRun;
  const rollouts = Array.from({ length: count }, (_, i) => ({
    ...lengthened(run.rollouts[i % run.rollouts.length], tokens),
    iteration: 1,
    index: i,
    group: Math.floor(i / groupSize),
    taskId: `t${Math.floor(i / groupSize)}`,
  }));
  const pick = show(run, rollouts);
  for (let settle = 0; settle < 10; settle++) await nextFrame();
  const gapMs = await scrolled(frames);
  press('Rollouts');
  await lazyPart();
  const groupMs = await picked(frames, (i) => pick(rollouts[(i + 1) * groupSize]));
  press('Tokens');
  await lazyPart();
  const rolloutMs = await picked(frames, (i) => pick(rollouts[i % groupSize]));
  const rows = Number(document.querySelector('[role="grid"]')!.getAttribute('aria-rowcount')) - 1;
  return { rows, gapMs, groupMs, rolloutMs };
}

/** Mounts list and reader. @returns reads a rollout */
function show(run: RecordedRun, rollouts: readonly RolloutView[]): (rollout: RolloutView) => void {
  let reading!: Reading;
  $effect.root(() => {
    const ofRun = { recordedPreset: 'calculator', isFinished: false, solvedAnswer: null };
    reading = new Reading({ rollouts, cursor: null, ...ofRun, wantedRollout: null }, () => undefined);
  });
  const never = () => new Promise<never>(() => undefined);
  mount(Rollouts, {
    target: document.body,
    props: { reading, groups: null, compare: never, busy: false, onDesk: () => {} },
  });
  let rollout = $state.raw(rollouts[0]);
  mount(Inspector, {
    target: document.body,
    props: {
      isAnswer: false,
      get rollout() {
        return rollout;
      },
      get group() {
        return rollouts.filter((each) => sameGroup(each, rollout));
      },
      baseline: undefined,
      vocabulary: run.vocabulary,
      specialTokens: run.specialTokens,
      rewardWeights: null,
      tokens: { explain: never, read: null, inside: null },
      drawings: { draws: false, of: null },
      preset: null,
      onpick: () => undefined,
      onDesk: () => undefined,
    },
  });
  return (next) => {
    rollout = next;
    reading.pick(next);
  };
}

/** The first turn as long as that, its tokens repeated; the other turns are left out. */
function lengthened(rollout: RolloutView, tokens: number): RolloutView {
  const [step] = rollout.steps;
  const more = tokens - step.promptTokens.length;
  const repeated = <T>(values: readonly T[]) => Array.from({ length: more }, (_, i) => values[i % values.length]);
  const long: StepView = {
    ...step,
    tokens: repeated(step.tokens),
    logProbs: repeated(step.logProbs),
    entropies: repeated(step.entropies),
    advantages: repeated(step.advantages),
    lossMask: [...step.promptTokens.map(() => 0), ...repeated([1])],
  };
  return { ...rollout, steps: [long] };
}

async function scrolled(frames: number): Promise<number[]> {
  const viewport = document.querySelector<HTMLElement>('[role="grid"] [role="rowgroup"]')!;
  const gapMs: number[] = [];
  let lastMs = await nextFrame();
  for (let frame = 0; frame < frames; frame++) {
    viewport.scrollTop += scrollPx;
    const atMs = await nextFrame();
    gapMs.push(atMs - lastMs);
    lastMs = atMs;
  }
  return gapMs;
}

/** From a press to the frame that shows what was pressed. */
async function picked(times: number, act: (i: number) => void): Promise<number[]> {
  const tookMs: number[] = [];
  for (let i = 0; i < times; i++) {
    const beginMs = performance.now();
    act(i);
    flushSync();
    await nextFrame();
    // Style and layout of this frame come after its callbacks.
    await new Promise((done) => setTimeout(done));
    tookMs.push(performance.now() - beginMs);
  }
  return tookMs;
}

const press = (tab: string): void =>
  [...document.querySelectorAll<HTMLElement>('[role="tab"]')].find((each) => each.textContent?.trim() === tab)!.click();

/** A tab's panel comes with a file of its own. */
const lazyPart = (): Promise<unknown> => new Promise((done) => setTimeout(done, 500));

const nextFrame = (): Promise<number> => new Promise((frame) => requestAnimationFrame(frame));
