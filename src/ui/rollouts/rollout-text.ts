/** A rollout as text to copy, and its link. Pure. */
import type { RolloutView } from '../../rl/rollouts/view';
import { conversation, endInWords } from './conversation';
import { plain, signed } from './numbers';
import { keyOf } from './select';
import { text } from './text';
import { callText } from './tool-call';

const words = text.reader;

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
  const { iteration, index, taskId, success, reward, advantage, answer, end } = rollout;
  const lines = conversation(rollout).flatMap((entry) => {
    if (entry.kind === 'message') return [`${text.conversation.roles[entry.role]}: ${entry.text}`];
    if (entry.kind === 'rewritten') return [text.conversation.rewritten];
    const { turn, calls, rewards, problem } = entry;
    return [
      `${text.conversation.turn(turn)}: ${entry.text || text.conversation.nothing}`,
      ...calls.map((call) => `  ${callText(call)} → ${call.result}`),
      ...(problem === undefined ? [] : [`  ${problem}`]),
      ...rewards.map(([name, value]) => `  ${name} ${signed(value)}`),
    ];
  });
  return [
    words.where(iteration, index, taskId),
    `${words.outcome(success)} · ${words.reward} ${plain(reward)} · ${words.advantage} ${signed(advantage)}`,
    '',
    ...lines,
    `${endInWords(end)}${answer === undefined ? '' : ` ${words.answer} ${answer}`}`,
    '',
  ].join('\n');
}

/** What follows `#`: a preset's recorded run, opened at this rollout. */
export const rolloutLink = (preset: string, rollout: RolloutView): string =>
  `#/lab?v=1&preset=${encodeURIComponent(preset)}&rollout=${keyOf(rollout)}`;
