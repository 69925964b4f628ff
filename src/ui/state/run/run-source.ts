/** Where the displayed run comes from: this tab, a recording, or the author of a link. All three are read alike. */
import type { RunConfig } from '../../../config/config';
import type { OpenedLink } from '../../../config/run-link';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { Answers, LiveRun } from './live-run.svelte';
import type { Replay } from './recordings.svelte';

export interface RunSource {
  /** Undefined while there is no run. */
  readonly config: RunConfig | undefined;
  /** Iterations planned. */
  readonly total: number;
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  /** Groups of one iteration, one for each task. */
  readonly groups: number | null;
  /** Iterations after which its config changed. */
  readonly configChanges: readonly number[];
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  /** What its agent answered to the same tasks before, halfway (in a recorded run) and after. */
  readonly answers: Answers;
}

const none: readonly never[] = [];

/** @param config of the run, from the order on @param planned the config of a run that would begin now */
export function liveSource(run: LiveRun, config: RunConfig | undefined, planned: RunConfig | null): RunSource {
  return {
    config,
    total: (config ?? planned)?.iterations ?? 0,
    metrics: run.metrics,
    rollouts: run.rollouts,
    groups: config?.rollout.tasks ?? null,
    configChanges: run.begun?.configChanges ?? none,
    vocabulary: run.started?.vocabulary ?? none,
    specialTokens: run.started?.specialTokens ?? none,
    answers: run.state === 'finished' ? learnedFirst(run.sameTasks) : run.sameTasks,
  };
}

/** The recorded run, as far as it was played. */
export function recordingSource({ recording, total, metrics, rollouts }: Replay): RunSource {
  return {
    config: recording?.config,
    total,
    metrics,
    rollouts,
    groups: recording?.groups ?? null,
    configChanges: none,
    vocabulary: recording?.vocabulary ?? none,
    specialTokens: recording?.specialTokens ?? none,
    answers: recording?.answers ?? none,
  };
}

/** The author's run: its link carries its config, and of its curve only the ghost. */
export function authorSource(author: OpenedLink | null): RunSource {
  const config = author?.config;
  return {
    config,
    total: config?.iterations ?? 0,
    metrics: none,
    rollouts: none,
    groups: config?.rollout.tasks ?? null,
    configChanges: none,
    vocabulary: none,
    specialTokens: none,
    answers: none,
  };
}

const endsSolved = (task: readonly RolloutView[]): boolean => task[task.length - 1].success;
const isLearned = (task: readonly RolloutView[]): boolean => !task[0].success && endsSolved(task);

/** Tasks that were unsolved before and are solved now come first, then those that are solved in both. */
export function learnedFirst(answers: Answers): Answers {
  const rank = (task: readonly RolloutView[]): number => (isLearned(task) ? 0 : endsSolved(task) ? 1 : 2);
  return [...answers].sort((a, b) => rank(a) - rank(b));
}

/** The solved answer to the first task of a finished run; null where that task is unsolved. */
export function solvedAnswer(answers: Answers): RolloutView | null {
  const [task] = answers;
  return task !== undefined && task.length > 1 && endsSolved(task) ? task[task.length - 1] : null;
}
