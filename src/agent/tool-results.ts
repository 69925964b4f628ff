/** Reads the replies of `start`, `execute` and `reward`. A bad reply is a sentence, never an exception. */
import { maxJsonDepth, nestsDeeperThan, type Json } from '../lib/json';
import { sum } from '../lib/mean';
import { plainText, quoted } from '../lib/plain-text';
import { imageOf, maxImageSize, patchSize, type Image } from '../text/image';
import type { KillReason, Verdict } from './sandbox';
import type { Ending } from './env';
import type { EndReason, GuestFault, ToolCall } from './types';

interface ToolResult {
  readonly text: string;
  readonly image?: Image;
  readonly reward?: number;
  /** The episode's next state; undefined: unchanged. */
  readonly state?: Json;
  /** The episode is over. */
  readonly done: boolean;
}

/** What `start` gives: the first observation and the first state. */
interface Start {
  readonly text?: string;
  readonly image?: Image;
  readonly state?: Json;
}

export type Reading<T> = { readonly value: T } | Failure;

export interface Failure {
  readonly problem: string;
  /** The limit at which the guest was stopped. */
  readonly killed?: KillReason;
  /** Line of the environment that threw. */
  readonly place?: string;
  /** The tool declined the call. */
  readonly refused?: true;
}

/** The failure and its line, as plain text for the author of the environment. */
export function failureSentence({ problem, place }: Failure): string {
  const plain = plainText(problem, maxReasonCharacters);
  return place === undefined ? plain : `${plain} (${place})`;
}

export function faultOf(failure: Failure): GuestFault {
  return { problem: failureSentence(failure), ...(failure.killed && { killed: failure.killed }) };
}

/**
 * How an episode ends. @param declared reward terms @param verdict on the reward @param end of the episode, unless its
 * reward failed
 */
export function endingOf(declared: Readonly<Record<string, unknown>>, verdict: Verdict, end: EndReason): Ending {
  const score = readScore(verdict, declared);
  if (!('problem' in score)) return { rewards: score.value.terms, success: score.value.success, end };
  return { rewards: {}, success: false, end: 'environment-failed', ...faultOf(score) };
}

const maxReasonCharacters = 300;

/** The reward term of rewards from tools; an environment whose tools give rewards declares it. */
export const toolRewardTerm = 'tool';

/** What the tools of a step gave, as reward terms. */
export function toolRewards(calls: readonly ToolCall[]): Record<string, number> {
  const rewards = calls.flatMap(({ reward }) => reward ?? []);
  return rewards.length > 0 ? { [toolRewardTerm]: sum(rewards) } : {};
}

/** Rewards are clamped to ± this, so that their sums stay finite in float32. */
export const maxReward = 1e6;

const killedSentence: Readonly<Record<KillReason, string>> = {
  fuel: 'it used up its fuel',
  depth: 'it recursed too deeply inside the engine',
  memory: 'it used too much memory',
  stack: 'it recursed too deeply',
  trap: 'it broke its engine',
};

/** Reads `{text?, image?, state?}`. @param images whether the environment declares that it shows images */
export function readOpening(verdict: Verdict, images?: boolean): Reading<Start> {
  const answer = readVerdict(verdict);
  if ('problem' in answer) return answer;
  const { text, image, state } = ownProperties(answer.value);
  if (text !== undefined && typeof text !== 'string') return broken('start gave a text that is not a text.');
  const shown = readImage(image, 'start', images);
  if ('problem' in shown) return shown;
  return { value: { ...(text !== undefined && { text }), ...shown.value, ...(state !== undefined && { state }) } };
}

/** Reads a string, or `{text, image?, reward?, state?, done?}`. @param images see `readOpening` */
export function readToolResult(verdict: Verdict, images?: boolean): Reading<ToolResult> {
  const answer = readVerdict(verdict);
  if ('problem' in answer) return answer;
  if (typeof answer.value === 'string') return { value: { text: answer.value, done: false } };
  const { text, image, reward, state, done } = ownProperties(answer.value);
  if (typeof text !== 'string') return broken('The tool gave neither a text nor an object with a text.');
  if (reward !== undefined && !Number.isFinite(reward))
    return broken('The tool gave a reward that is not a finite number.');
  const shown = readImage(image, 'The tool', images);
  if ('problem' in shown) return shown;
  const given = reward !== undefined && { reward: clampReward(reward as number) };
  return { value: { text, ...shown.value, ...given, ...(state !== undefined && { state }), done: done === true } };
}

/** Reads `{width, height, pixels}` if it is there. @param source of the sentence @param declared by the environment */
export function readImage(
  value: Json | undefined,
  source: string,
  declared = false,
): Reading<{ readonly image?: Image }> {
  if (value === undefined) return { value: {} };
  if (!declared) return broken(`${source} gave an image, and meta.images is not true.`);
  const { width, height, pixels } = ownProperties(value);
  if (!isSide(width) || !isSide(height))
    return broken(
      `${source} gave an image whose width and height are not multiples of ${patchSize} from ${patchSize} to ` +
        `${maxImageSize}.`,
    );
  const needed = width * height * 3;
  if (!Array.isArray(pixels) || pixels.length !== needed)
    return broken(`${source} gave an image of ${width} × ${height} whose pixels are not a list of ${needed} numbers.`);
  const wrong = pixels.findIndex((byte) => !isByte(byte));
  if (wrong >= 0) return broken(`${source} gave an image whose pixels[${wrong}] is no integer from 0 to 255.`);
  return { value: { image: imageOf(width, height, pixels as number[]) } };
}

const isSide = (side: unknown): side is number =>
  Number.isInteger(side) &&
  (side as number) > 0 &&
  (side as number) <= maxImageSize &&
  (side as number) % patchSize === 0;

const isByte = (byte: unknown): boolean => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) <= 255;

/** Reads `{terms, success}`: finite numbers under declared names. */
function readScore(
  verdict: Verdict,
  declared: Readonly<Record<string, unknown>>,
): Reading<{ readonly terms: Readonly<Record<string, number>>; readonly success: boolean }> {
  const answer = readVerdict(verdict);
  if ('problem' in answer) return answer;
  const { terms, success } = ownProperties(answer.value);
  if (typeof success !== 'boolean') return broken('The reward function gave no success of true or false.');
  const entries = Object.entries(ownProperties(terms ?? null));
  const bad = entries.find(([name, value]) => !Object.hasOwn(declared, name) || !Number.isFinite(value));
  if (bad)
    return broken(`The reward function gave the term ${quoted(bad[0])}, which is not declared or not a finite number.`);
  const clamped = entries.map(([name, value]) => [name, clampReward(value as number)]);
  return { value: { terms: Object.fromEntries(clamped), success } };
}

export function readVerdict(verdict: Verdict): Reading<Json> {
  if (verdict.kind === 'value')
    return nestsDeeperThan(verdict.value)
      ? broken(`The environment gave a value that nests deeper than ${maxJsonDepth} levels.`)
      : { value: verdict.value };
  if (verdict.kind === 'error') {
    const { message: problem, place, refused } = verdict;
    return { problem, ...(place !== undefined && { place }), ...(refused && { refused }) };
  }
  return { problem: `The environment was stopped: ${killedSentence[verdict.reason]}.`, killed: verdict.reason };
}

function broken(problem: string): { readonly problem: string } {
  return { problem };
}

/** Within ± `maxReward`. */
export function clampReward(value: number): number {
  return Math.min(maxReward, Math.max(-maxReward, value));
}

/** A copy without a prototype, so that no inherited name is read; empty for what is not an object. */
function ownProperties(value: Json): Record<string, Json> {
  const properties = typeof value === 'object' && !Array.isArray(value) ? value : {};
  return Object.assign(Object.create(null) as Record<string, Json>, properties);
}
