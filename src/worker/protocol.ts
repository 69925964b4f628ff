/**
 * What the page and the trainer worker say to each other. Types only: nothing here runs.
 * The page calls `TrainerApi` through comlink; events come back through the callback given to `subscribe`.
 */
import type { EnvironmentDescription } from '../agent/env';
import type { Message, ToolCall } from '../agent/types';
import type { ChatEvent } from '../rl/chat';
import type { FieldInfo, RunConfig } from '../rl/config';
import type { Field } from '../rl/config-fields';
import type { Metrics, RolloutView, StepView } from '../rl/metrics';
import type { RunPlan } from '../rl/plan';
import type { OpenedLink } from '../rl/run-link';
import type { Recording } from '../share/recording';

export type {
  ChatEvent,
  OpenedLink,
  RunPlan,
  EnvironmentDescription,
  Field,
  FieldInfo,
  Message,
  Metrics,
  Recording,
  RolloutView,
  RunConfig,
  StepView,
  ToolCall,
};

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
}

/** The device a run is on, or why there is none. */
export type DeviceReport =
  | { readonly ok: true; readonly adapter: string; readonly software: boolean; readonly features: readonly string[] }
  | { readonly ok: false; readonly reason: string };

export type RunState = 'idle' | 'preparing' | 'running' | 'pausing' | 'paused' | 'finished' | 'failed';

export type RunEvent =
  | { readonly type: 'state'; readonly state: RunState; /** Sentence for `failed`. */ readonly message?: string }
  | { readonly type: 'progress'; readonly phase: 'compiling' | 'warm-start' | 'evaluating'; readonly done: number; readonly total: number }
  | {
      readonly type: 'started';
      readonly config: RunConfig;
      /** Text of each token id. */ readonly vocabulary: readonly string[];
      /** Ids that only the host can write. */ readonly specialTokens: readonly number[];
      readonly parameters: number;
    }
  | { readonly type: 'warm-loss'; readonly step: number; readonly loss: number }
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
  | {
      readonly type: 'reproduction';
      /** Iterations whose digests equal the author's. */ readonly identicalTo: number;
      /** Largest difference of success to the author's curve so far, 0 … 1. */ readonly difference: number;
    };

export interface TrainerApi {
  catalog(): Promise<Catalog>;
  /** Opens the GPU device if it is not open. */
  device(): Promise<DeviceReport>;
  plan(config: RunConfig): Promise<RunPlan>;
  subscribe(listener: (event: RunEvent) => void): Promise<void>;
  /** Starts a new run of this config, dropping the one before; `author` is compared with as it goes. */
  train(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Takes effect within 300 ms, between two GPU submissions. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Runs exactly one iteration (preparing the run first if need be), then pauses. */
  step(config: RunConfig, author: OpenedLink | null): Promise<void>;
  /** Back to before iteration 1, same seed; the next Train reproduces the run bit for bit. */
  reset(): Promise<void>;
  /** Lets the agent as it is now answer one user message with live tool calls. Works while training is paused or running. */
  chat(message: string, listener: (event: ChatEvent) => void): Promise<void>;
  /** Share link of the run so far (or of the config alone): the part after `#/lab?`. */
  link(config: RunConfig): Promise<string>;
  openLink(hash: string): Promise<OpenedLink>;
  /** The checkpoint as safetensors bytes. */
  checkpoint(): Promise<Uint8Array>;
}
