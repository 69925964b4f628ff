/** A rollout as text to copy, its tool calls as one line each, and its link. Pure. */
import type { RolloutView } from '../rl/rollouts/view';
import { keyOf } from '../share/rollout-groups';
import { conversation, endInWords } from './conversation';
import { plain, signed } from '../lib/format';
import { text } from './text';

const words = text.rollout;

/** Its JSON, with lists of numbers on one line each. */
export function rolloutJson(rollout: RolloutView): string {
  const json = JSON.stringify(rollout, null, 2);
  // A line break is never inside a JSON string.
  return json.replace(
    /\[\n([\d\s.,eE+-]*)\n\s*\]/g,
    (_, numbers: string) => `[${numbers.trim().replace(/,\s+/g, ', ')}]`,
  );
}

/** The conversation line by line, as a person would read it out. */
export function rolloutText(rollout: RolloutView): string {
  const { iteration, index, success, reward, advantage, answer, end } = rollout;
  const lines = transcript(rollout).map((line) => {
    if (line.who === null) return line.text;
    return line.who === '' ? `  ${line.text}` : `${line.who}: ${line.text}`;
  });
  return [
    words.where(iteration, index),
    `${words.outcome(success)} · ${words.reward} ${plain(reward)} · ${words.advantage} ${signed(advantage)}`,
    '',
    ...lines,
    `${endInWords(end)}${answer === undefined ? '' : ` ${words.answer} ${answer}`}`,
    '',
  ].join('\n');
}

export interface TranscriptLine {
  /** Empty where it says more of the line before; null for a remark between two turns. */
  readonly who: string | null;
  readonly text: string;
}

/** Messages, turns, and what calls, problems and rewards say of a turn. */
export function transcript(rollout: RolloutView): TranscriptLine[] {
  return conversation(rollout).flatMap((entry): TranscriptLine[] => {
    if (entry.kind === 'message') return [{ who: text.conversation.roles[entry.role], text: entry.text }];
    if (entry.kind === 'rewritten') return [{ who: null, text: text.conversation.rewritten }];
    const { turn, calls, rewards, problem } = entry;
    const more = [
      ...calls.map((call) => `${callText(call)} → ${call.result}`),
      ...(problem === undefined ? [] : [problem]),
      ...rewards.map(([name, value]) => `${name} ${signed(value)}`),
    ];
    return [
      { who: text.conversation.turn(turn), text: entry.text || text.conversation.nothing },
      ...more.map((line) => ({ who: '', text: line })),
    ];
  });
}

/** What follows `#`: a preset's recorded run, opened at this rollout. */
export const rolloutLink = (preset: string, rollout: RolloutView): string =>
  `#/lab?v=1&preset=${encodeURIComponent(preset)}&rollout=${keyOf(rollout)}`;

/** Arguments without the noise of JSON: the values of an object, in order. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.values(value).map(argumentText).join(', ');
  return value === undefined ? '' : JSON.stringify(value);
}

export const callText = (call: { readonly name: string; readonly arguments: unknown }): string =>
  `${call.name}(${argumentText(call.arguments)})`;

/** @param baseline what the run's algorithm compares a reward with, in a sentence */
export function groupWords(group: readonly Pick<RolloutView, 'reward' | 'advantage'>[], baseline?: string): string {
  const { average, equal, nothingToLearn } = text.group;
  if (group.some(({ reward }) => reward !== group[0].reward)) return baseline ? `${average} ${baseline}` : average;
  return group.every(({ advantage }) => advantage === 0) ? nothingToLearn : equal;
}
