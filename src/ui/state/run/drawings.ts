/**
 * Drawings of rollouts: a recording's answers were drawn when the page was built, all others are drawn by the trainer.
 * Each is made once.
 */
import type { Drawing } from '../../../agent/drawing';
import type { RunConfig } from '../../../config/config';
import type { DrawnRollout } from '../../../rl/diagnostics/drawn-rollouts';
import type { RolloutView } from '../../../rl/rollouts/view';
import { unpackRecording, type RecordingFile } from '../../../share/recording-file';
import type { TrainerClient } from '../../trainer/trainer-client';
import type { RecordedRun } from './recordings.svelte';

/** Drawings of a recording's answers. [tasks][checkpoints] */
export type AnswerDrawings = readonly (readonly Drawing[])[];

const files = new Map<string, Promise<AnswerDrawings | null>>();

/** Null if the world of the preset draws none. Fetched once. */
export function answerDrawings(preset: string): Promise<AnswerDrawings | null> {
  const known = files.get(preset);
  if (known) return known;
  const drawings = read(preset).catch(() => null);
  files.set(preset, drawings);
  return drawings;
}

async function read(preset: string): Promise<AnswerDrawings | null> {
  const { default: urls } = await import('virtual:world-scenes');
  const url = urls[preset];
  if (!Object.hasOwn(urls, preset)) return null;
  const response = await fetch(url);
  if (!response.ok) return null;
  const { answers } = unpackRecording((await response.json()) as RecordingFile) as { answers: AnswerDrawings };
  return answers;
}

/** What is sent of a rollout to where it is drawn. */
export function toDraw({ iteration, index, group, taskId, answer, success, steps }: RolloutView): DrawnRollout {
  return {
    iteration,
    index,
    group,
    taskId,
    ...(answer !== undefined && { answer }),
    success,
    steps: steps.map(({ toolCalls, rewards }) => ({ toolCalls, rewards })),
  };
}

export class Drawings {
  readonly #made = new WeakMap<RolloutView, Promise<Drawing | null>>();

  /** @param recording that the rollout may be an answer of @param ask null while there is no trainer */
  of(
    rollout: RolloutView,
    recording: RecordedRun | null,
    ask: ((rollout: RolloutView) => Promise<Drawing | null>) | null,
  ): Promise<Drawing | null> {
    const task = recording?.answers.findIndex((answers) => answers.includes(rollout)) ?? -1;
    if (!recording || task < 0) return ask?.(rollout) ?? new Promise(() => {});
    const place = recording.answers[task].indexOf(rollout);
    return answerDrawings(recording.preset).then((drawings) => drawings?.[task]?.[place] ?? null);
  }

  ask(rollout: RolloutView, config: RunConfig, trainer: TrainerClient | null): Promise<Drawing | null> {
    const known = this.#made.get(rollout);
    if (known) return known;
    if (!trainer) return Promise.resolve(null);
    const drawing = trainer.api.draw([toDraw(rollout)], config).then((all) => all?.[0] ?? null);
    drawing.catch(() => this.#made.delete(rollout));
    this.#made.set(rollout, drawing);
    return drawing;
  }
}
