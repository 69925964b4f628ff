/** Types of the agent loop: observations, actions, steps, trajectories, policies. Plain data, structured-cloneable. */

import type { Json } from '../lib/json';
import type { Content, Image, PlacedImage } from '../text/image';
import type { KillReason } from './sandbox';

export type { Json };

export type { Content, Image };

/** One chat message. `tool` holds a tool's result, or the sentence that says why a call failed. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: Content;
  /** Sampled tokens of a message by the policy: prompts repeat them and never re-encode the text. */
  readonly tokens?: readonly number[];
}

/** What the agent sees before a step. */
export interface Observation {
  readonly messages: readonly Message[];
  /** Set where the policy is asked for a summary of the episode so far. A demonstration writes what is suggested. */
  readonly summary?: { readonly suggestion: string };
}

/** What the policy sampled in one step. Exactly these tokens are trained on. */
export interface Action {
  readonly tokens: readonly number[];
  /** Log-probability of each token under softmax(logits / temperature), untruncated by top-k or top-p. */
  readonly logProbs: readonly number[];
  /** Entropy in nats of the same distribution, for each token. */
  readonly entropies: readonly number[];
  readonly text: string;
  /** `stop`: the last token is a stop token. `length`: the token budget ran out. */
  readonly stop: 'stop' | 'length';
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: Json;
  /** What the agent sees: the tool's result, or a sentence about the error. */
  readonly result: string;
  /** Shown beside the result. */
  readonly image?: Image;
  readonly error?: ToolError;
  /** The limit at which the call was stopped. */
  readonly killed?: KillReason;
  /** Fuel burnt, the same on every machine; absent if nothing ran. */
  readonly fuel?: number;
  /** Unweighted process reward of the tool. */
  readonly reward?: number;
}

export type ToolError = 'malformed' | 'unknown-tool' | 'invalid-arguments' | 'tool-error' | 'killed';

/** Why an action failed. The episode continues unless the environment ended it. */
export type StepError = ToolError | 'truncated' | 'no-answer';

/** What went wrong in the environment's code. */
export interface GuestFault {
  /** The limit at which it was stopped. */
  readonly killed?: KillReason;
  /** Why it failed, and where. A tool that declines a call has not failed. */
  readonly problem?: string;
}

/** One step of the MDP, with the fault of the tools or the reward that followed it. */
export interface Step extends GuestFault {
  /** Token ids of the whole prompt. */
  readonly prompt: readonly number[];
  /** Among the prompt's tokens. */
  readonly images?: readonly PlacedImage[];
  readonly observation: Observation;
  readonly action: Action;
  /** Unweighted reward terms of this step; the last step also has those of the outcome. */
  readonly rewards: Readonly<Record<string, number>>;
  readonly toolCalls: readonly ToolCall[];
  readonly error?: StepError;
}

export interface Task {
  readonly id: string;
  readonly prompt: string;
  /** The environment's own data, passed back to every function that gets the task. */
  readonly data: Json;
  /** Kinds of task that it belongs to: success is reported for each. */
  readonly tags?: readonly string[];
}

/** `done`: a tool ended the episode. */
export type EndReason = 'answer' | 'done' | 'max-turns' | 'context-full' | 'environment-failed';

/** Whether a limit of the run cut the episode off. */
export const isCutOff = (end: EndReason | undefined): boolean => end === 'max-turns' || end === 'context-full';

/** An episode. It has a fault of its own only if the environment could not begin it. */
export interface Trajectory extends GuestFault {
  readonly task: Task;
  /** Trajectories of one task share a group, for group-relative advantages. */
  readonly group: number;
  readonly steps: readonly Step[];
  readonly end: EndReason;
  readonly answer?: string;
  /** Whether the environment calls the task solved. */
  readonly success: boolean;
  /** Weighted sum of all reward terms of all steps. */
  readonly reward: number;
}

/** `slot` names the conversation, so that a policy can cache it between turns. */
export interface Prompt {
  readonly slot: number;
  readonly tokens: readonly number[];
  /** Among the tokens. */
  readonly images?: readonly PlacedImage[];
  /** What a script says here instead of its next turn. */
  readonly suggestion?: string;
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

/** Samples actions: the model's sampler, or a script. */
export interface Policy {
  /** Maximum tokens of prompt plus action. */
  readonly contextLength: number;
  /** Maximum prompts of a batch; slots are 0 … slots − 1. */
  readonly slots: number;
  /** @returns actions in the order of the prompts, with an empty `text` */
  sample(prompts: readonly Prompt[], sampling: Sampling): Promise<Action[]>;
}
