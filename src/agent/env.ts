/** Environment contracts. `AgentEnv` is batched: rollouts move in lockstep, and one sandbox message carries many. */
import type { KillReason } from './sandbox';
import type { Action, EndReason, Json, Observation, StepError, Task, ToolCall } from './types';

/** What happened to one episode in one turn. */
export interface Transition {
  /** The next observation; ignored when `end` is set. */
  readonly observation: Observation;
  readonly rewards: Readonly<Record<string, number>>;
  readonly toolCalls: readonly ToolCall[];
  readonly error?: StepError;
  /** Set when the episode is over. */
  readonly end?: EndReason;
  readonly answer?: string;
  readonly success?: boolean;
  /** The limit at which the reward was stopped. */
  readonly killed?: KillReason;
  /** Why a tool or the reward failed, and where. */
  readonly problem?: string;
}

/** The outcome of an episode that was stopped from outside. Its rewards belong to the episode's last step. */
export interface Ending {
  readonly rewards: Readonly<Record<string, number>>;
  readonly success: boolean;
  /** The reason it was given, or `environment-failed`. */
  readonly end: EndReason;
  /** The limit at which the reward was stopped. */
  readonly killed?: KillReason;
  /** Why the reward failed, and where. */
  readonly problem?: string;
}

export interface AgentEnv {
  /** Starts one episode per task; episode i belongs to task i. */
  reset(tasks: readonly Task[], seed: number): Promise<Observation[]>;
  /** @returns transitions in the order of `episodes` */
  step(episodes: readonly number[], actions: readonly Action[]): Promise<Transition[]>;
  /** Rewards episodes that no transition ended. Each has at least one step. */
  finish(episodes: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]>;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments object. */
  readonly parameters: Json;
}

/** `meta` and `tools` of an environment module. */
export interface EnvironmentDescription {
  readonly title: string;
  /** One sentence: what the agent must learn. */
  readonly task: string;
  /** One sentence: what a person should look at while it learns. */
  readonly watch: string;
  /** System message; small models do without. */
  readonly system?: string;
  readonly tools: readonly Tool[];
  /** Names and one-sentence explanations of the reward terms, with default weights. */
  readonly rewards: Readonly<Record<string, { readonly description: string; readonly weight: number }>>;
  /** Options of the task generator that a person may set. */
  readonly options: readonly EnvironmentOption[];
  /** All characters its texts can contain, for a character tokenizer. */
  readonly alphabet: string;
  /** Whole words that a word tokenizer gives a token each. */
  readonly words?: readonly string[];
  /** How the tasks of the split `out-of-distribution` differ. Absent: there is no such split. */
  readonly outOfDistribution?: string;
  /** Names of scripted policies to compare with. */
  readonly policies?: readonly string[];
  /** A few tasks to type into the chat. */
  readonly examples: readonly string[];
}

export interface EnvironmentOption {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly values: readonly (string | number)[];
  readonly default: string | number;
}

/** A scripted solution for the warm start: what the assistant writes in each turn. */
export interface Demonstration {
  readonly task: Task;
  readonly turns: readonly DemonstrationTurn[];
}

export type DemonstrationTurn =
  { readonly calls: readonly { readonly name: string; readonly arguments: Json }[] } | { readonly answer: string };
