/**
 * Messages between the page and the trainer worker; types only. The page calls `TrainerApi` through comlink, and events
 * come back through the callback given to `subscribe`.
 */
import type { Drawing } from '../agent/drawing';
import type { EnvironmentDescription } from '../agent/env';
import type { RewardChange } from '../config/changed-reward';
import type { RunConfig } from '../config/config';
import type { OpenedModel } from '../config/open-model';
import type { OpenedLink, RunSoFar } from '../config/run-link';
import type { DeviceChoice, DeviceKind } from '../device/choice';
import type { EnvironmentReport } from '../environment-check/report';
import type { Comparison } from '../rl/diagnostics/comparison';
import type { DrawnRollout } from '../rl/diagnostics/drawn-rollouts';
import type { Rescoring } from '../rl/diagnostics/rescoring';
import type { Explanation } from '../rl/diagnostics/token-explanation';
import type { RunPlan } from '../rl/memory';
import type { ChatEvent } from '../rl/rollouts/chat';
import type { Round, RoundView } from '../rl/rollouts/rounds';
import type { RolloutView } from '../rl/rollouts/view';
import type { RunEvent } from '../run/events';
import type { KeptRun, RunLabel, RunRecord, SavedRun } from '../run/store/saved-run';
import type { TokenQuestion } from '../rl/learner/attention-reader';
import type { Look } from '../run/attention-session';
import type { CurrentExplanation } from '../run/token-session';

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

/**
 * The frame of the sandbox workers. The page makes it, because only a document can have a frame of an opaque origin.
 * Tool calls travel on the port and never touch the page's thread.
 */
export interface SandboxFrame {
  /** Starts a worker. The port speaks `SandboxWorkerApi`. */
  spawn(): Promise<{ readonly id: number; readonly port: MessagePort }>;
  terminate(id: number): Promise<void>;
}

/** Files of a pretrained model that a person has chosen. */
export interface GivenFiles {
  /** Path of their folder, as far as it is known. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, Blob>;
  /** What the trainer before found in them. Then no byte is read for a digest. */
  readonly known?: GivenModel;
}

/** A pretrained model whose files the trainer has. */
export type GivenModel = Omit<OpenedModel, 'files'>;

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
  /**
   * Takes the files of a pretrained model, reads every byte for its digest, and has it for runs from now on. Rejects
   * with a sentence. @param wanted a config whose model they must be; null: any model
   */
  giveModel(given: GivenFiles, wanted: RunConfig | null, onProgress: (share: number) => void): Promise<GivenModel>;
  /** Runs the environment's code in the sandbox. Rejects with a sentence. */
  describeEnvironment(source: string): Promise<EnvironmentDescription>;
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
  /** Rollouts of one iteration under another reward. Needs no device and no run. Rejects with a sentence. */
  rescore(rollouts: readonly RolloutView[], config: RunConfig, change: RewardChange): Promise<Rescoring>;
  /**
   * Scenes of each rollout; null if the environment draws none. Needs no device and no run. Rejects with a sentence if
   * its module cannot be loaded.
   */
  draw(rollouts: readonly DrawnRollout[], config: RunConfig): Promise<readonly Drawing[] | null>;
  /** Plays a visitor's turns in the agent's place. Needs no device and no run. Rejects with a sentence. */
  play(round: Round, config: RunConfig): Promise<RoundView>;
  /** The loss of each token of a rollout as its update began. Needs no device and no run. */
  explainTokens(rollout: RolloutView, config: RunConfig): Promise<Explanation>;
  /** The same by the agent as it is now: one forward pass over the rollout. Rejects with a sentence without a run. */
  readTokens(rollout: RolloutView): Promise<CurrentExplanation>;
  /**
   * Where the heads look as they predict a token of the agent. Rejects with a sentence.
   * @param iteration of a kept checkpoint; null asks the agent as it is now
   */
  lookInside(rollout: RolloutView, place: TokenQuestion, iteration: number | null): Promise<Look>;
  /** What a share link of this config carries of the run; null if no run has the config. */
  soFar(config: RunConfig): Promise<RunSoFar | null>;
  /** Of each config that was stored: the first reason why it cannot be trained, a sentence; null if it can. */
  configProblems(configs: readonly unknown[]): Promise<readonly (string | null)[]>;
  /** Runs of this browser that can go on, the latest first. */
  savedRuns(): Promise<readonly SavedRun[]>;
  /** Continues a saved run from its last save, bit for bit. */
  restore(id: string, author: OpenedLink | null): Promise<void>;
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
