/**
 * Messages between the page and the trainer worker; types only. The page calls `TrainerApi` through comlink, and events
 * come back through the callback given to `subscribe`.
 */
import type { EnvironmentDescription } from '../agent/env';
import type { DeviceChoice, DeviceKind } from '../device/choice';
import type { EnvironmentReport } from '../environment-check/report';
import type { LossToken, PolicyTerm } from '../rl/algorithms/policy-term';
import type { RewardChange } from '../rl/config/changed-reward';
import type { RunConfig } from '../rl/config/config';
import type { OpenedLink } from '../rl/config/run-link';
import type { Comparison } from '../rl/diagnostics/comparison';
import type { ImportedCredit } from '../rl/diagnostics/imported-comparison';
import type { Rescoring } from '../rl/diagnostics/rescoring';
import type { Explanation } from '../rl/diagnostics/token-explanation';
import type { RunPlan } from '../rl/memory';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import type { ChatEvent } from '../rl/rollouts/chat';
import type { CurrentExplanation } from './token-session';

/** JavaScript of environments. */
export interface EnvironmentSources {
  /** Those built in, by the name that a config gives them. */
  readonly builtIn: Readonly<Record<string, string>>;
  /** To start a new environment from. */
  readonly templates: readonly { readonly title: string; readonly source: string }[];
}

/** What this browser can train on. */
export interface DeviceReport {
  /** The adapter that WebGPU offers, or why there is none. */
  readonly gpu:
    | { readonly ok: true; readonly adapter: string; readonly software: boolean }
    | { readonly ok: false; readonly reason: string };
  /** Name of the CPU device, which is always there. */
  readonly cpu: string;
  /** What a run with each choice is trained on here. */
  readonly runsOn: Readonly<Record<DeviceChoice, DeviceKind>>;
}

export type RunState = 'idle' | 'preparing' | 'running' | 'pausing' | 'paused' | 'finished' | 'failed';

/** The one button under a message about a fault; `none` if the run has recovered. */
export type Remedy = 'none' | 'start-over' | 'resume' | 'try-again' | 'download' | 'halve-batch' | 'halve-rate';

/** A message about a run that continues. */
export interface RunNotice {
  readonly kind: 'device-lost' | 'update-skipped' | 'rolled-back' | 'not-saved' | 'engine-differs';
  readonly sentence: string;
  readonly remedy: Remedy;
}

/** A run saved in this browser. */
export interface SavedRun {
  readonly id: string;
  readonly config: RunConfig;
  /** Title of its environment. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly savedAtMs: number;
  readonly iteration: number;
  /** Completed steps of the warm start. */
  readonly warmSteps: number;
  readonly finished: boolean;
  /** Hex digests of its first iterations. Absent in saves of earlier versions, like all that follows. */
  readonly fingerprint?: readonly string[];
  readonly engineVersion?: string;
  readonly adapter?: string;
  /** Id of the run from a state of which it began. */
  readonly parent?: string;
  /** Iterations after which its config changed, ascending: its config is the last, its curve that of all. */
  readonly configChanges?: readonly number[];
}

/** What the visitor has said about a run. */
export interface RunLabel {
  /** Empty: the name that comes of its id. */
  readonly name: string;
  readonly note: string;
  /** Not listed any more, and gone when the trainer starts next. */
  readonly deleted: boolean;
}

/** A run in the list of all runs. */
export interface KeptRun extends SavedRun, RunLabel {
  /** Success in practice over the run: few values, evenly spread. */
  readonly curve: readonly number[];
  /** Its last success on unseen tasks. */
  readonly validation: number | null;
  /** Its weights are kept, too, so it can go on. */
  readonly resumable: boolean;
  /** It is in the trainer and has not ended. */
  readonly here: boolean;
}

/** What is kept of a run beside its weights. */
export interface RunRecord {
  /** Ascending by iteration; of a long run not every iteration. */
  readonly metrics: readonly Metrics[];
  /** Some of a group of some iterations, the last among them. */
  readonly rollouts: readonly RolloutView[];
}

/**
 * The frame of the sandbox workers. The page makes it, because only a document can have a frame of an opaque origin.
 * Tool calls travel on the port and never touch the page's thread.
 */
export interface SandboxFrame {
  /** Starts a worker. The port speaks `SandboxWorkerApi`. */
  spawn(): Promise<{ readonly id: number; readonly port: MessagePort }>;
  terminate(id: number): Promise<void>;
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
    }
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
      /** Text of each token id. */ readonly vocabulary: readonly string[];
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

export interface TrainerApi {
  /**
   * Call before every method that runs environments.
   * @param apart its runs are kept nowhere, and may train while another trainer does
   */
  connect(frame: SandboxFrame, site: string, apart: boolean): Promise<void>;
  sources(): Promise<EnvironmentSources>;
  device(): Promise<DeviceReport>;
  /** Opens what a run with this choice is trained on, and measures its matrix products. @returns GFLOP/s */
  speed(choice: DeviceChoice): Promise<number>;
  plan(config: RunConfig): Promise<RunPlan>;
  /** Runs the environment's code in the sandbox. Rejects with a sentence. */
  describeEnvironment(source: string): Promise<EnvironmentDescription>;
  /** The config with rows of data, from a file of this name. Rejects with a sentence if they are wrong or others. */
  withRows(config: RunConfig, rows: string, name: string): Promise<RunConfig>;
  /** Plays the config's environment; nothing is trained. Rejects with a sentence if its module cannot be loaded. */
  checkEnvironment(config: RunConfig): Promise<EnvironmentReport>;
  subscribe(listener: (event: RunEvent) => void): Promise<void>;
  /** Starts a new run and drops the current one. @param author the link's run, to compare with */
  train(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Continues the finished run for more iterations, as a new run. @returns its config */
  extend(iterations: number): Promise<RunConfig>;
  /**
   * Goes on from the current state under another reward, as a new run; the run so far is saved.
   * @returns the new run's config
   */
  changeReward(change: RewardChange): Promise<RunConfig>;
  /**
   * Greedy attempts on a few held-out tasks, the same for every iteration, by the agent of a kept checkpoint. Training
   * goes on meanwhile. Rejects with a sentence.
   */
  answersAt(iteration: number): Promise<readonly RolloutView[]>;
  /** Rejects with a sentence if `branch` would refuse. */
  checkBranch(iteration: number, config: RunConfig): Promise<void>;
  /**
   * Goes on from a kept checkpoint of the run under another config, as a new run; the run so far is saved.
   * @returns the new run's config
   */
  branch(iteration: number, config: RunConfig): Promise<RunConfig>;
  /** Takes effect within 300 ms, between two submissions. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Runs exactly one iteration, of a new run if there is none, then pauses. */
  step(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Drops the run. The next Train with the same config reproduces it bit for bit. */
  reset(): Promise<void>;
  /** The current agent answers one user message with live tool calls, while training runs or is paused. */
  chat(message: string, listener: (event: ChatEvent) => void): Promise<void>;
  /**
   * Before there is a run: the agent of the recorded warm start that a run of this config would begin from answers. A
   * run that begins stops the answer. Rejects with a sentence if there is no such agent.
   */
  chatWithStart(config: RunConfig, message: string, listener: (event: ChatEvent) => void): Promise<void>;
  /** Advantages of one batch under every estimator. Needs no device and no run. */
  compareEstimators(rollouts: readonly RolloutView[], config: RunConfig): Promise<Comparison>;
  /** The same of rollouts of another trainer, all of one step. */
  compareImported(rollouts: readonly ImportedCredit[]): Promise<Pick<Comparison, 'columns' | 'trained'>>;
  /** Rollouts of one iteration under another reward. Needs no device and no run. Rejects with a sentence. */
  rescore(rollouts: readonly RolloutView[], config: RunConfig, change: RewardChange): Promise<Rescoring>;
  /** The loss of each token of a rollout as its update began. Needs no device and no run. */
  explainTokens(rollout: RolloutView, config: RunConfig): Promise<Explanation>;
  /** The same by the agent as it is now: one forward pass over the rollout. Rejects with a sentence without a run. */
  readTokens(rollout: RolloutView): Promise<CurrentExplanation>;
  /** What single tokens add to the loss, under a config's algorithm. Needs no device and no run. */
  policyTerms(tokens: readonly LossToken[], config: RunConfig): Promise<readonly PolicyTerm[]>;
  /** Share link of the run so far, or of the config if no run has it: the part after `#/lab?`. */
  link(config: RunConfig): Promise<string>;
  /** The same for the page's address: the config alone. Rejects with a sentence if it cannot be used. */
  address(config: RunConfig): Promise<string>;
  openLink(hash: string): Promise<OpenedLink>;
  /** Runs saved in this browser, the latest first. */
  savedRuns(): Promise<readonly SavedRun[]>;
  /** Continues a saved run from its last save, bit for bit. */
  restore(id: string, author: OpenedLink | null): Promise<void>;
  /** Deletes a saved run. */
  deleteSavedRun(id: string): Promise<void>;
  /** Every run of this browser that was not deleted, the latest first. */
  runs(): Promise<readonly KeptRun[]>;
  /** Rejects with a sentence if there is nothing of this run. */
  runRecord(id: string): Promise<RunRecord>;
  /** Names, annotates, deletes or brings back a run. Rejects with a sentence if there is nothing of it. */
  labelRun(id: string, label: Partial<RunLabel>): Promise<void>;
  /** Saves as soon as no update is in progress, because the page may be closing. */
  save(): Promise<void>;
  /** The heartbeat. */
  alive(): Promise<void>;
  /** The checkpoint as safetensors bytes: of the run in the trainer, or of a saved one. */
  checkpoint(id?: string): Promise<Uint8Array>;
}
