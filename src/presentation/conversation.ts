/**
 * A rollout as a conversation: each message once, in order, with its images and the chips of its rewards.
 * Pure.
 */
import type { MessageView, RolloutView, StepView } from '../rl/rollouts/view';
import { signed } from '../lib/format';
import { text } from './text';
import { toolRewardTerm } from '../agent/tool-results';
import type { Image } from '../agent/types';

const words = text.conversation;

type ToolCallView = StepView['toolCalls'][number];

type Rewards = readonly (readonly [name: string, value: number])[];

export type Entry =
  | (Pick<MessageView, 'images' | 'role'> & { readonly kind: 'message'; readonly text: string })
  /** This turn's context does not continue the one before: it follows in full, as the agent saw it. */
  | { readonly kind: 'rewritten' }
  | {
      readonly kind: 'action';
      /** From 1. */
      readonly turn: number;
      readonly text: string;
      readonly calls: readonly ToolCallView[];
      /** Those of tools are with their calls. */
      readonly rewards: Rewards;
      /** An error of the turn itself, or the reason why a tool or the reward failed. */
      readonly problem: string | undefined;
    };

export function conversation(rollout: RolloutView): Entry[] {
  const entries: Entry[] = [];
  rollout.steps.forEach((step, i) => {
    const before = rollout.steps[i - 1];
    const messages = before ? newMessages(before, step) : step.messages;
    if (before && messages === step.messages && !step.continues) entries.push({ kind: 'rewritten' });
    for (const { role, content, images } of messages)
      entries.push({ kind: 'message', role, text: content, ...(images && { images }) });
    entries.push({
      kind: 'action',
      turn: i + 1,
      text: step.text,
      calls: step.toolCalls,
      rewards: Object.entries(step.rewards).filter(([name]) => name !== toolRewardTerm),
      problem: problemOf(step),
    });
  });
  return entries;
}

/** How the formats write a call. In the compact one, which has no end of a call, calls are all that a turn holds. */
const callTags = /<tool_call>[\s\S]*?<\/tool_call>|<code>[\s\S]*?<\/code>|^<call>[\s\S]*$/g;

/**
 * What the agent wrote beside its calls, which have cards of their own; the tokens show every call as it was written.
 * All of it if a call could not be read.
 */
export function wordsBeside({
  text,
  calls,
}: {
  readonly text: string;
  readonly calls: readonly ToolCallView[];
}): string {
  const isRead = calls.length > 0 && calls.every(({ error }) => error !== 'malformed');
  return isRead ? text.replace(callTags, '').trim() : text;
}

function problemOf({ error, killed, problem, toolCalls }: StepView): string | undefined {
  if (killed !== undefined) return words.rewardStopped(words.stops[killed]);
  if (problem !== undefined && !toolCalls.some((call) => call.killed)) return words.environmentFailed(problem);
  return error === undefined || toolCalls.some((call) => call.error === error) ? undefined : errorInWords(error);
}

/**
 * Messages of a step that the reader has not seen: neither in the step before, nor as its action, nor in the card of a
 * tool call.
 */
function newMessages(before: StepView, step: StepView): StepView['messages'] {
  const repeats = before.messages.every((message, i) => JSON.stringify(message) === JSON.stringify(step.messages[i]));
  if (!repeats && !step.continues) return step.messages;
  const results = new Set(before.toolCalls.map((call) => call.result));
  return step.messages
    .slice(repeats ? before.messages.length : 0)
    .filter((message) => message.role !== 'assistant' && !(message.role === 'tool' && results.has(message.content)));
}

/** What an episode came to, in a line: the answer, or what the tool that ended it said. */
export function outcomeInWords({
  answer,
  end,
  steps,
}: Pick<RolloutView, 'answer' | 'end'> & { readonly steps: readonly Pick<StepView, 'toolCalls'>[] }): string {
  const said = end === 'done' ? steps.at(-1)?.toolCalls.at(-1)?.result : undefined;
  return answer ?? said ?? text.noAnswer;
}

const ends: Readonly<Record<string, string>> = words.ends;
const errors: Readonly<Record<string, string>> = words.errors;
export const endInWords = (end: string): string => ends[end] ?? words.otherEnd(end);
export const errorInWords = (error: string): string => errors[error] ?? words.otherError(error);

/** What was wrong with a tool call, in words; undefined if nothing was. */
export function callProblem({ error, killed, fuel }: ToolCallView): string | undefined {
  if (killed === undefined) return error === undefined ? undefined : errorInWords(error);
  return killed === 'fuel' && fuel !== undefined
    ? `${words.stops.fuel} (${fuel.toLocaleString('en')})`
    : words.stops[killed];
}

/** Red, green, blue and opacity of each pixel, row by row. */
export function canvasBytes({ width, height, pixels }: Image): Uint8ClampedArray<ArrayBuffer> {
  const bytes = atob(pixels);
  const canvas = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < bytes.length; i++) canvas[Math.floor(i / 3) * 4 + (i % 3)] = bytes.charCodeAt(i);
  return canvas;
}

/** Weight of each reward term in the run. */
export type RewardWeights = Readonly<Record<string, number>>;

export interface RewardChip {
  readonly text: string;
  readonly kind: 'plus' | 'minus' | 'neutral';
}

/** What its tool gave for a call, as the reward term that it counts under; empty if it gave nothing. */
export const rewardsOf = ({ reward }: ToolCallView): Rewards =>
  reward === undefined ? [] : [[toolRewardTerm, reward]];

export const rewardChips = (rewards: Rewards, weights: RewardWeights | null): RewardChip[] =>
  rewards.flatMap(([name, value]) => rewardChip(name, value, weights) ?? []);

/**
 * What a term adds to the reward; null for one that does not count in this run, which the rollout's JSON has.
 * @param weights null where they are not known; then a term counts as it is
 */
export function rewardChip(name: string, value: number, weights: RewardWeights | null): RewardChip | null {
  const weight = weights?.[name] ?? 1;
  if (weight === 0) return null;
  const counted = value * weight;
  return {
    text: `${name} ${signed(counted)}`,
    kind: counted > 0 ? 'plus' : counted < 0 ? 'minus' : 'neutral',
  };
}
