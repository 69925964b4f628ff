/** Events of a run. The page gets them through the trainer worker, a terminal directly. Types only. */
import type { RunConfig } from '../config/config';
import type { RunPlan } from '../rl/memory';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import type { SameTasks } from './same-tasks';

export type RunState = 'idle' | 'preparing' | 'running' | 'pausing' | 'paused' | 'finished' | 'failed';

/** The one button under a message about a fault; `none` if the run has recovered. */
export type Remedy = 'none' | 'start-over' | 'resume' | 'try-again' | 'download' | 'halve-batch' | 'halve-rate';

/** A message about a run that continues. */
export interface RunNotice {
  readonly kind: 'device-lost' | 'update-skipped' | 'rolled-back' | 'not-saved' | 'engine-differs';
  readonly sentence: string;
  readonly remedy: Remedy;
}

/** Loss of the warm start at one of its steps. */
export interface WarmLoss {
  readonly step: number;
  readonly loss: number;
}

/** Comparison of a run with the author's run of its link. */
export interface Reproduction {
  /** Iterations with a digest on both sides; a link has those of its first iterations only. */
  readonly digests: number;
  /** Number of leading digests that are equal. */
  readonly identicalTo: number;
  /** The last iteration whose success was compared; 0 if none. */
  readonly comparedTo: number;
  /** Maximum difference of success up to there, 0 … 1. */
  readonly difference: number;
}

export type RunEvent =
  | {
      readonly type: 'state';
      readonly state: RunState;
      /** For `failed`. */ readonly message?: string;
      readonly remedy?: Remedy;
    }
  | { readonly type: 'notice'; readonly notice: RunNotice }
  /** The state of this run after this iteration is stored in this browser. */
  | { readonly type: 'saved'; readonly id: string; readonly iteration: number }
  | {
      /** The checkpoints of the run that are kept have changed. */
      readonly type: 'checkpoints';
      /** After which they were taken, ascending. */
      readonly iterations: readonly number[];
      /** The browser takes no more of them. */
      readonly full: boolean;
    }
  | {
      /** The run continues from a saved state: replaces what the page shows of it. Comes after `started`. */
      readonly type: 'restored';
      readonly iteration: number;
      readonly metrics: readonly Metrics[];
      readonly rollouts: readonly RolloutView[];
      readonly warmLosses: readonly WarmLoss[];
      readonly fingerprint: readonly string[];
      /** Empty in saves of earlier versions. */
      readonly sameTasks: SameTasks;
    }
  /** The tasks that the page shows before and after were tried: before the first step, or at a validation. */
  | { readonly type: 'same-tasks'; readonly sameTasks: SameTasks }
  | {
      /** A run begins; nothing is compiled yet. */
      readonly type: 'begun';
      /** Its key among the runs of this browser. */ readonly id: string;
      readonly config: RunConfig;
      readonly warmStart: RunPlan['warmStart'];
      /** Iterations after which its config changed, ascending. */
      readonly configChanges: readonly number[];
    }
  | {
      readonly type: 'progress';
      readonly phase: 'compiling' | 'warm-start' | 'evaluating';
      readonly done: number;
      readonly total: number;
    }
  | {
      readonly type: 'started';
      readonly config: RunConfig;
      /** Title of its environment. */ readonly title: string;
      /** Text of each token id; empty in a terminal, which shows none. */ readonly vocabulary: readonly string[];
      /** Ids that only the host can write. */ readonly specialTokens: readonly number[];
      readonly parameters: number;
    }
  | ({ readonly type: 'warm-loss' } & WarmLoss)
  /** The first iteration is trained, and will be validated before its `iteration` event. */
  | { readonly type: 'first-point'; readonly metrics: Metrics; readonly rollouts: readonly RolloutView[] }
  | {
      readonly type: 'iteration';
      readonly metrics: Metrics;
      readonly rollouts: readonly RolloutView[];
      /** Hex digest of the first iterations so far. */ readonly fingerprint: readonly string[];
    }
  | {
      readonly type: 'live';
      /** Text of the rollout being sampled now, at most ten times a second. */ readonly prompt: string;
      readonly text: string;
    }
  | ({ readonly type: 'reproduction' } & Reproduction);
