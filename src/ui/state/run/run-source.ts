/** Where the displayed run comes from: this tab, a recording, or the author of a link. All three are read alike. */
import type { RunConfig } from '../../../config/config';
import type { OpenedLink } from '../../../config/run-link';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';
import { learnedFirst, type Answers } from './before-after';
import type { LiveRun } from './live-run.svelte';
import type { Replay } from './replay.svelte';

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

/** @param config of the run, from the order on @param planned the config of a run that would begin now */
export function liveSource(
  run: LiveRun,
  config: () => RunConfig | undefined,
  planned: () => RunConfig | null,
): RunSource {
  return {
    get config() {
      return config();
    },
    get total() {
      return (config() ?? planned())?.iterations ?? 0;
    },
    get metrics() {
      return run.metrics;
    },
    get rollouts() {
      return run.rollouts;
    },
    get groups() {
      return config()?.rollout.tasks ?? null;
    },
    get configChanges() {
      return run.begun?.configChanges ?? [];
    },
    get vocabulary() {
      return run.started?.vocabulary ?? [];
    },
    get specialTokens() {
      return run.started?.specialTokens ?? [];
    },
    get answers() {
      return run.state === 'finished' ? learnedFirst(run.sameTasks) : run.sameTasks;
    },
  };
}

/** The recorded run, as far as it was played. */
export function recordingSource(replay: Replay): RunSource {
  return {
    configChanges: [],
    get config() {
      return replay.recording?.config;
    },
    get total() {
      return replay.total;
    },
    get metrics() {
      return replay.metrics;
    },
    get rollouts() {
      return replay.rollouts;
    },
    get groups() {
      return replay.recording?.groups ?? null;
    },
    get vocabulary() {
      return replay.recording?.vocabulary ?? [];
    },
    get specialTokens() {
      return replay.recording?.specialTokens ?? [];
    },
    get answers() {
      return replay.recording?.answers ?? [];
    },
  };
}

/** The author's run: its link carries its config, and of its curve only the ghost. */
export function authorSource(author: () => OpenedLink | null): RunSource {
  return {
    metrics: [],
    rollouts: [],
    configChanges: [],
    vocabulary: [],
    specialTokens: [],
    answers: [],
    get config() {
      return author()?.config;
    },
    get total() {
      return author()?.config.iterations ?? 0;
    },
    get groups() {
      return author()?.config.rollout.tasks ?? null;
    },
  };
}
