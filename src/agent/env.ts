/**
 * Environment contracts. `AgentEnv` is batched over episodes, because rollouts move in lockstep turns and one sandbox
 * message carries many of them. Knows nothing of tokens: text and messages only.
 */
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
  /** Set if the reward was stopped: the limit it ran into. */
  readonly killed?: KillReason;
  /** Set if a tool or the reward failed: why, and where. */
  readonly problem?: string;
}

/**
 * What the environment makes of an episode that was stopped from outside; its terms belong to the episode's last step.
 */
export interface Ending {
  readonly rewards: Readonly<Record<string, number>>;
  readonly success: boolean;
  /** The reason it was given, or `environment-failed`. */
  readonly end: EndReason;
  /** Set if the reward was stopped: the limit it ran into. */
  readonly killed?: KillReason;
  /** Set if the reward failed: why, and where. */
  readonly problem?: string;
}

export interface AgentEnv {
  /** Starts one episode per task; episode i is task i until the next reset. */
  reset(tasks: readonly Task[], seed: number): Promise<Observation[]>;
  /** Acts in the named episodes; transitions come in their order. */
  step(episodes: readonly number[], actions: readonly Action[]): Promise<Transition[]>;
  /** Ends episodes of at least one step that no transition ended, for the given reasons: these are rewarded too. */
  finish(episodes: readonly number[], reasons: readonly EndReason[]): Promise<Ending[]>;
}

/** A tool as the agent is told of it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments object. */
  readonly parameters: Json;
}

/** What an environment module says of itself (`meta` and `tools`). */
export interface EnvironmentDescription {
  readonly title: string;
  /** One sentence: what the agent must learn. */
  readonly task: string;
  /** One sentence: what a person should look at while it learns. */
  readonly watch: string;
  /** System message, if the environment has one. Small models do without. */
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
  /**
   * How the tasks of the split `out-of-distribution` differ from those trained on; without it there is no such split.
   */
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

/** A scripted solution: what an assistant writes each turn, for the warm start. The environment answers in between. */
export interface Demonstration {
  readonly task: Task;
  readonly turns: readonly DemonstrationTurn[];
}

/** Either tool calls to make, or the answer to give. */
export type DemonstrationTurn =
  { readonly calls: readonly { readonly name: string; readonly arguments: Json }[] } | { readonly answer: string };
