/**
 * The words of the agent loop: what an agent sees, does and is rewarded for. Plain data, structured-cloneable.
 * Knows nothing of GPUs, workers, tokens' meaning or how a policy is trained.
 */

import type { Json } from '../lib/json';
import type { KillReason } from './sandbox';

export type { Json };

/** One chat message. `tool` carries a tool's result, or the sentence that says why a call failed. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** What the policy sampled, if it wrote this message: a prompt repeats these tokens and never re-encodes the text. */
  readonly tokens?: readonly number[];
}

/** What the environment shows the agent before a step. The environment alone decides it. */
export interface Observation {
  readonly messages: readonly Message[];
}

/** What the policy sampled in one step: exactly these tokens are trained on, they are never rebuilt from text. */
export interface Action {
  readonly tokens: readonly number[];
  /** Log-probability of each token under softmax(logits / temperature), untruncated by top-k or top-p. */
  readonly logProbs: readonly number[];
  /** Entropy in nats of the distribution each token was drawn from (same convention). */
  readonly entropies: readonly number[];
  readonly text: string;
  /** `stop`: a stop token was sampled (it is the last token). `length`: the token budget ran out. */
  readonly stop: 'stop' | 'length';
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
  /** Text the agent is shown: the tool's result, or the error in a sentence. */
  readonly result: string;
  readonly error?: ToolError;
  /** Set if the call was stopped: the limit it ran into. */
  readonly killed?: KillReason;
  /** Work it took, the same on every machine; absent if nothing ran. */
  readonly fuel?: number;
  /** Process reward the tool gave, before weighting. */
  readonly reward?: number;
}

export type ToolError = 'malformed' | 'unknown-tool' | 'invalid-arguments' | 'tool-error' | 'killed';

/** Why an action could not be used as the agent meant it. The episode goes on unless the environment ended it. */
export type StepError = ToolError | 'truncated' | 'no-answer';

/** One interaction step: the unit of the MDP. */
export interface Step {
  /** The whole prompt of this step, as token ids. */
  readonly prompt: readonly number[];
  readonly observation: Observation;
  readonly action: Action;
  /** Named, unweighted reward terms that belong to this step; the outcome's terms stand on the last step. */
  readonly rewards: Readonly<Record<string, number>>;
  readonly toolCalls: readonly ToolCall[];
  readonly error?: StepError;
  /** Set if the reward that follows this step was stopped: the limit it ran into. A tool call says it of itself. */
  readonly killed?: KillReason;
  /** Set if a tool or the reward failed: why, and where. A tool that refuses a call has not failed. */
  readonly problem?: string;
}

/** A task as its environment made it: JSON, so that it can be logged, linked and sent to a sandbox. */
export interface Task {
  readonly id: string;
  readonly prompt: string;
  /** Everything else the environment wants back in `reward`, `execute` and `demonstrate`. */
  readonly data: Json;
}

export type EndReason = 'answer' | 'max-turns' | 'context-full' | 'environment-failed';

export interface Trajectory {
  readonly task: Task;
  /** Trajectories of one task share a group: the unit of group-relative advantages. */
  readonly group: number;
  readonly steps: readonly Step[];
  readonly end: EndReason;
  /** The final answer in the agent's words, if it gave one. */
  readonly answer?: string;
  /** Whether the environment calls the task solved. */
  readonly success: boolean;
  /** Weighted sum of all reward terms of all steps. */
  readonly reward: number;
}

/** One row to continue: `slot` names the conversation, so that a policy can keep its cache between turns. */
export interface Prompt {
  readonly slot: number;
  readonly tokens: readonly number[];
}

export interface Sampling {
  /** 0 is greedy. */
  readonly temperature: number;
  /** 0 keeps all tokens. */
  readonly topK: number;
  /** 1 keeps all tokens. */
  readonly topP: number;
  /** Token budget of one action. */
  readonly maxTokens: number;
  readonly stopTokens: readonly number[];
  /** Keys of the counter-based random numbers, besides slot and position. */
  readonly seed: number;
  readonly iteration: number;
}

/** Anything that continues prompts. The model's sampler is one; tests use a scripted one. */
export interface Policy {
  /** Longest prompt plus action in tokens. */
  readonly contextLength: number;
  /** Largest number of slots. */
  readonly slots: number;
  /** Actions in the order of the prompts; `text` is left empty, since a policy knows no text. */
  sample(prompts: readonly Prompt[], sampling: Sampling): Promise<Action[]>;
}
