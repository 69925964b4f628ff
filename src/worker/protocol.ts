/**
 * What the page and the trainer worker say to each other. Types only: nothing here runs.
 * The page calls `TrainerApi` through comlink; events come back through the callback given to `subscribe`.
 */
import type { EnvironmentDescription } from '../agent/env';
import type { EnvironmentReport } from '../environment-check/report';
import type { AlgorithmDefaults } from '../rl/algorithms/algorithm';
import type { AlgorithmName } from '../rl/algorithms/table';
import type { RunConfig } from '../rl/config/config';
import type { Field } from '../rl/config/fields';
import type { OpenedLink } from '../rl/config/run-link';
import type { Comparison } from '../rl/diagnostics/comparison';
import type { RunPlan } from '../rl/memory';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import type { ChatEvent } from '../rl/rollouts/chat';

export interface PresetInfo {
  readonly name: string;
  readonly title: string;
  readonly config: RunConfig;
  readonly environment: EnvironmentDescription;
  /** JavaScript source of the environment, as the editor shows it. */
  readonly source: string;
}

export interface Catalog {
  readonly engineVersion: string;
  readonly presets: readonly PresetInfo[];
  readonly modelPresets: readonly { readonly name: string; readonly model: RunConfig['model'] }[];
  readonly fields: readonly Field[];
  /** What each algorithm sets in a config that is switched to it. */
  readonly algorithms: Readonly<Record<AlgorithmName, AlgorithmDefaults>>;
  /** Code to begin an environment of one's own from. */
  readonly templates: readonly { readonly title: string; readonly source: string }[];
  /** Length that the code of an environment may have, as UTF-8. */
  readonly sourceBytes: number;
}

/** The device a run is on, or why there is none. */
export type DeviceReport =
  | { readonly ok: true; readonly adapter: string; readonly software: boolean; readonly features: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type RunState = 'idle' | 'preparing' | 'running' | 'pausing' | 'paused' | 'finished' | 'failed';

/** The one thing to press under a sentence about a fault; `none` when the run has mended itself. */
export type Remedy = 'none' | 'start-over' | 'resume' | 'try-again' | 'download' | 'halve-batch' | 'halve-rate';

/** What a person should know of a run that goes on all the same. */
export interface RunNotice {
  readonly kind: 'device-lost' | 'update-skipped' | 'rolled-back' | 'not-saved' | 'engine-differs';
  readonly sentence: string;
  readonly remedy: Remedy;
}

/** A run kept in this browser. */
export interface SavedRun {
  readonly id: string;
  readonly config: RunConfig;
  /** Title of its environment. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly savedAtMs: number;
  readonly iteration: number;
  /** Steps of the warm start done. */
  readonly warmSteps: number;
  readonly finished: boolean;
  /** Hex digests of its first iterations. Absent in saves of earlier versions. */
  readonly fingerprint?: readonly string[];
}

/**
 * The frame that holds the sandbox workers. The page makes it, because only a document can have a frame of an opaque
 * origin; tool calls travel on the port, past the page's thread.
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

/** How a run stands to the author's of the link it was begun from. */
export interface Reproduction {
  /** Iterations that both sides have a digest of; a link carries those of its first iterations only. */
  readonly digests: number;
  /** How many of them, from the first on, are equal. */
  readonly identicalTo: number;
  /** The last iteration at which success was compared; 0 if there is none. */
  readonly comparedTo: number;
  /** Largest difference of success up to there, 0 … 1. */
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
  /** The run as it was after this iteration is kept in this browser. */
  | { readonly type: 'saved'; readonly iteration: number }
  | {
      /** The run goes on from a saved state: what the page knows of it is replaced by this. Comes after `started`. */
      readonly type: 'restored';
      readonly iteration: number;
      readonly metrics: readonly Metrics[];
      readonly rollouts: readonly RolloutView[];
      readonly warmLosses: readonly WarmLoss[];
      readonly fingerprint: readonly string[];
    }
  | {
      /** A run sets out, before anything is compiled for it. */
      readonly type: 'begun';
      readonly config: RunConfig;
      readonly warmStart: RunPlan['warmStart'];
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
  /** The first iteration has learned; it is validated before its `iteration` comes. */
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
  /** Comes before everything that runs environments. */
  connect(frame: SandboxFrame, site: string): Promise<void>;
  catalog(): Promise<Catalog>;
  /** Opens the GPU device if it is not open. */
  device(): Promise<DeviceReport>;
  plan(config: RunConfig): Promise<RunPlan>;
  /** What an environment says of itself. Runs its code, in the sandbox; rejects with a sentence if that fails. */
  describeEnvironment(source: string): Promise<EnvironmentDescription>;
  /**
   * Plays the config's environment without a GPU and says what came of it. Rejects with a sentence if its module cannot
   * be loaded.
   */
  checkEnvironment(config: RunConfig): Promise<EnvironmentReport>;
  subscribe(listener: (event: RunEvent) => void): Promise<void>;
  /** Starts a new run of this config, dropping the one before; `author` is compared with as it goes. */
  train(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Goes on with the run that has finished for so many more iterations, as a run of its own. @returns its config */
  extend(iterations: number): Promise<RunConfig>;
  /** Takes effect within 300 ms, between two GPU submissions. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Runs exactly one iteration (preparing the run first if need be), then pauses. */
  step(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Back to before iteration 1, same seed; the next Train reproduces the run bit for bit. */
  reset(): Promise<void>;
  /**
   * Lets the agent as it is now answer one user message with live tool calls. Works while training is paused or
   * running.
   */
  chat(message: string, listener: (event: ChatEvent) => void): Promise<void>;
  /** One batch of a run of this config through every estimator of advantages. Needs no GPU and no run. */
  compareEstimators(rollouts: readonly RolloutView[], config: RunConfig): Promise<Comparison>;
  /** Share link of the run so far (or of the config alone): the part after `#/lab?`. */
  link(config: RunConfig): Promise<string>;
  /** The same for the page's own address: the config alone. */
  address(config: RunConfig): Promise<string>;
  openLink(hash: string): Promise<OpenedLink>;
  /** Runs kept in this browser, the latest first. */
  savedRuns(): Promise<readonly SavedRun[]>;
  /** Continues a saved run where its last save stands, bit for bit. */
  restore(id: string, author: OpenedLink | null): Promise<void>;
  /** Deletes a saved run. */
  forget(id: string): Promise<void>;
  /** Saves as soon as the state is whole: the page may be about to vanish. */
  save(): Promise<void>;
  /** A sign of life. */
  alive(): Promise<void>;
  /** The checkpoint as safetensors bytes. */
  checkpoint(): Promise<Uint8Array>;
}
