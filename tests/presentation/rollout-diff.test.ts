/** Two rollouts line by line: what both hold, what one of them, and where words of a line differ. */
import { expect, test } from 'vitest';
import type { RolloutView, StepView } from '../../src/rl/rollouts/view';
import { rolloutDiff } from '../../src/presentation/rollout-diff';
import { recordedRun } from '../helpers/recorded-run';

const [like] = recordedRun('calculator-mini').rollouts;

const step = (text: string, result?: string): StepView => ({
  ...like.steps[0],
  messages: [],
  text,
  toolCalls: result === undefined ? [] : [{ name: 'calc', arguments: { text }, result }],
  rewards: {},
});
const rollout = (...steps: readonly StepView[]): RolloutView => ({
  ...like,
  steps: steps.map((each, i) => ({
    ...each,
    continues: true,
    messages: i === 0 ? [{ role: 'user', content: '(2+3)*4' }] : [],
  })),
});
const written = (first: RolloutView, second: RolloutView) => {
  const marks = { both: '', first: '-', second: '+' };
  const { lines, summary } = rolloutDiff(first, second);
  const line = ({ side, who, parts }: (typeof lines)[number]) =>
    `${marks[side]}${who}: ${parts.map((part) => `${side === 'both' ? marks[part.side] : ''}[${part.text}]`).join('')}`;
  return { lines: lines.map(line), summary };
};

test('the same rollout twice differs in nothing', () => {
  const same = rollout(step('2+3', '5'), step('20'));
  const { lines, summary } = written(same, rollout(step('2+3', '5'), step('20')));
  expect(summary).toBe('Both hold the same lines.');
  expect(lines).toEqual(['user: [(2+3)*4]', 'agent · turn 1: [2+3]', ': [calc(2+3) → 5]', 'agent · turn 2: [20]']);
});

test('words that differ are marked within their line', () => {
  const { lines, summary } = written(rollout(step('<call>2+3')), rollout(step('<answer>2+3')));
  expect(lines).toEqual(['user: [(2+3)*4]', 'agent · turn 1: [<]-[call]+[answer][>2+3]']);
  expect(summary).toBe('1 of 2 lines differs; the first one is of: agent · turn 1.');
});

test('lines of one of them stand at their place, and a number that differs is one word', () => {
  const { lines, summary } = written(rollout(step('2+3', '5'), step('20')), rollout(step('2+3', '15')));
  expect(lines).toEqual([
    'user: [(2+3)*4]',
    'agent · turn 1: [2+3]',
    ': [calc(2+3) → ]-[5]+[15]',
    '-agent · turn 2: [20]',
  ]);
  expect(summary).toBe('2 of 4 lines differ; the first one is of: agent · turn 1.');
  const turned = written(rollout(step('2+3', '15')), rollout(step('2+3', '5'), step('20')));
  expect(turned.lines.at(-1)).toBe('+agent · turn 2: [20]');
});

test('all words of both are there, whatever they are', () => {
  const { rollouts } = recordedRun('multi-hop');
  const pairs = rollouts.slice(0, 12).map((each, i) => [each, rollouts[rollouts.length - 1 - i]] as const);
  for (const [first, second] of pairs) {
    const textOf = (side: 'first' | 'second') =>
      rolloutDiff(first, second)
        .lines.flatMap(({ parts }) => parts)
        .filter((part) => part.side !== (side === 'first' ? 'second' : 'first'))
        .map(({ text }) => text)
        .join('');
    const whole = (of: RolloutView) =>
      rolloutDiff(of, of)
        .lines.flatMap(({ parts }) => parts.map(({ text }) => text))
        .join('');
    expect([...textOf('first')].toSorted()).toEqual([...whole(first)].toSorted());
    expect([...textOf('second')].toSorted()).toEqual([...whole(second)].toSorted());
  }
});

test('very long lines are shown one after the other', () => {
  const long = (word: string) => rollout(step(`${word} `.repeat(2000)));
  const { lines } = written(long('a'), long('b'));
  expect(lines[1]).toMatch(/^agent · turn 1: -\[(a )+\]\+\[(b )+\]$/);
});
