/** Rollouts as token cells, conversation, list and window of rows. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { imageOf } from '../../src/text/image';
import { picture } from '../helpers/images';
import type { RolloutView, StepView } from '../../src/rl/rollouts/view';
import { fullTintPercent, tint, tintSteps, visible } from '../../src/presentation/token-cells';
import { lossCount, strongest, tokenCells } from '../../src/share/rollout-tokens';
import {
  callProblem,
  conversation,
  endInWords,
  errorInWords,
  outcomeInWords,
  canvasBytes,
  rewardChip,
} from '../../src/presentation/conversation';
import {
  choose,
  counterpart,
  keptGroups,
  linesOf,
  nearestIteration,
  rowsToRender,
} from '../../src/presentation/rollout-list';
import { errorCount } from '../../src/share/rollout-filter';
import { iterationsOf } from '../../src/share/rollout-groups';
import { signed } from '../../src/lib/format';

const step = (values: Partial<StepView>): StepView => ({
  promptTokens: [],
  continues: false,
  tokens: [],
  logProbs: [],
  entropies: [],
  advantages: [],
  lossMask: [],
  text: '',
  messages: [],
  toolCalls: [],
  rewards: {},
  ...values,
});

const rollout = (values: Partial<RolloutView>): RolloutView => ({
  iteration: 1,
  index: 0,
  group: 0,
  taskId: 't',
  prompt: '2*3',
  reward: 0,
  advantage: 0,
  success: false,
  end: 'answer',
  steps: [],
  ...values,
});

const vocabulary = ['<pad>', '<user>', '<end>', 'a', 'b', ' '];
const specialTokens = [0, 1, 2];

/** Two steps; in the second, one of the agent's tokens is masked, as a loss mask switch may do. */
const example = rollout({
  steps: [
    step({
      promptTokens: [1, 3, 2],
      tokens: [4, 4, 2],
      logProbs: [-1, -2, -3],
      entropies: [0.1, 0.2, 0.3],
      advantages: [0.5, 0.5, 0.5],
      lossMask: [0, 0, 0, 1, 1, 1],
    }),
    step({
      promptTokens: [1],
      continues: true,
      tokens: [9, 2],
      logProbs: [-4, -5],
      entropies: [0.4, 0.5],
      advantages: [-1, -1],
      lossMask: [0, 0, 1],
    }),
  ],
});

describe('tokenCells', () => {
  const cells = tokenCells(example, vocabulary, specialTokens);

  it('has every token in order with its author, mask and numbers', () => {
    expect(cells.map((cell) => cell.id)).toEqual([1, 3, 2, 4, 4, 2, 1, 9, 2]);
    expect(cells.map((cell) => cell.index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(cells.map((cell) => cell.author[0]).join('')).toBe('eeeaaaeaa');
    expect(cells.map((cell) => cell.step)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2]);
    expect(cells.map((cell) => cell.logProb)).toEqual([null, null, null, -1, -2, -3, null, -4, -5]);
    expect(cells.map((cell) => cell.entropy)).toEqual([null, null, null, 0.1, 0.2, 0.3, null, 0.4, 0.5]);
    expect(cells.map((cell) => cell.advantage)).toEqual([null, null, null, 0.5, 0.5, 0.5, null, -1, -1]);
  });

  it('counts in the loss exactly what the trainer’s mask does', () => {
    const trainer = example.steps.reduce((sum, { lossMask }) => sum + lossMask.reduce((a, b) => a + b, 0), 0);
    expect(lossCount(cells)).toBe(trainer);
    expect(trainer).toBe(4);
    expect(cells[7].inLoss).toBe(false);
  });

  it('knows special tokens and names ids that the vocabulary lacks', () => {
    expect(cells.map((cell) => cell.special)).toEqual([true, false, true, false, false, true, true, false, true]);
    expect(cells[7].text).toBe('#9');
    expect([visible(' '), visible('\n'), visible('')]).toEqual(['␣', '⏎', '∅']);
  });

  it('tints tokens in the loss by advantage, in steps, on the scale of the group', () => {
    const full = strongest([example, rollout({ steps: [step({ tokens: [3], advantages: [-2] })] })]);
    expect(full).toBe(2);
    expect(cells.map((cell) => tint(cell, full))).toEqual([0, 0, 0, 0.3, 0.3, 0.3, 0, 0, -0.5]);
    expect(tint({ ...cells[3], advantage: 1e-6 }, full)).toBe(1 / tintSteps);
    expect(tint({ ...cells[3], advantage: 0 }, full)).toBe(0);
    expect(tint(cells[3], 0)).toBe(0);
  });
});

describe('contrast of tinted tokens', () => {
  const css = readFileSync(new URL('../../src/ui/base/styles/theme.css', import.meta.url), 'utf8');
  const token = (name: string, theme: number): number[] => {
    const pair = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)!;
    return [1, 3, 5].map((at) => parseInt(pair[1 + theme].slice(at, at + 2), 16) / 255);
  };
  const luminance = (colour: number[]): number => {
    const [r, g, b] = colour.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: number[], b: number[]): number => {
    const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };

  it.each(['light', 'dark'])('is at least 4.5:1 at all 21 steps (%s)', (theme) => {
    const at = theme === 'light' ? 0 : 1;
    for (let strength = -tintSteps; strength <= tintSteps; strength++) {
      const share = (Math.abs(strength) / tintSteps) * (fullTintPercent / 100);
      const colour = token(strength < 0 ? 'advantage-down' : 'advantage-up', at);
      const ground = token('surface-raised', at).map((base, i) => base * (1 - share) + colour[i] * share);
      expect(contrast(token('text', at), ground)).toBeGreaterThanOrEqual(4.5);
      if (strength === 0) expect(contrast(token('environment', at), ground)).toBeGreaterThanOrEqual(4.5);
    }
  });
});

describe('what an episode came to', () => {
  const last = step({ toolCalls: [{ name: 'buy', arguments: {}, result: 'bought' }] });

  it('is its answer, or what the tool said that ended it', () => {
    expect(outcomeInWords(rollout({ answer: '6', steps: [last] }))).toBe('6');
    expect(outcomeInWords(rollout({ end: 'done', steps: [last] }))).toBe('bought');
    expect(outcomeInWords(rollout({ end: 'max-turns', steps: [last] }))).toBe('no answer');
  });
});

describe('conversation', () => {
  const system = { role: 'system', content: 'Use the calculator.' } as const;
  const user = { role: 'user', content: '2*3' } as const;
  const call = { name: 'calc', arguments: { expression: '2*3' }, result: '6' };
  const first = step({ messages: [system, user], text: 'calc(2*3)', toolCalls: [call], rewards: { call: 0.1 } });
  const history = [system, user, { role: 'assistant', content: 'calc(2*3)' }, { role: 'tool', content: '6' }] as const;

  it('shows what was said once, and a tool’s result on its card only', () => {
    const entries = conversation(rollout({ steps: [first, step({ continues: true, messages: history, text: '6' })] }));
    expect(entries.map((entry) => (entry.kind === 'message' ? entry.role : entry.kind))).toEqual([
      'system',
      'user',
      'action',
      'action',
    ]);
    expect(entries[2]).toMatchObject({ turn: 1, calls: [call], rewards: [['call', 0.1]] });
  });

  it('reads the same when a step lists only its new messages', () => {
    const entries = conversation(
      rollout({ steps: [first, step({ continues: true, messages: history.slice(3), text: '6' })] }),
    );
    expect(entries).toEqual(
      conversation(rollout({ steps: [first, step({ continues: true, messages: history, text: '6' })] })),
    );
  });

  it('keeps what the environment adds besides', () => {
    const entries = conversation(
      rollout({
        steps: [first, step({ continues: true, messages: [...history, { role: 'user', content: 'hurry' }] })],
      }),
    );
    expect(entries[3]).toEqual({ kind: 'message', role: 'user', text: 'hurry' });
  });

  it('shows images with their message, and one that replaces another under the same text', () => {
    const seen = (key: number) => ({ role: 'tool', content: 'far', images: [picture(key)] }) as const;
    const looked = step({ messages: [user, seen(1)], toolCalls: [{ ...call, image: picture(2) }] });
    const [, shown, action, ...rest] = conversation(
      rollout({ steps: [looked, step({ continues: false, messages: [user, seen(3)] })] }),
    );
    expect(shown).toEqual({ kind: 'message', role: 'tool', text: 'far', images: [picture(1)] });
    expect(action).toMatchObject({ calls: [{ image: picture(2) }] });
    expect(rest).toContainEqual({ kind: 'message', role: 'tool', text: 'far', images: [picture(3)] });
    expect([
      ...canvasBytes(
        imageOf(
          8,
          8,
          Array.from({ length: 192 }, (_, i) => i),
        ),
      ).subarray(0, 8),
    ]).toEqual([0, 1, 2, 255, 3, 4, 5, 255]);
  });

  it('says so when the context was rewritten, and shows it whole', () => {
    const summary = { role: 'user', content: 'summary: 2*3 is 6' } as const;
    const entries = conversation(rollout({ steps: [first, step({ continues: false, messages: [system, summary] })] }));
    expect(entries.slice(3).map((entry) => entry.kind)).toEqual(['rewritten', 'message', 'message', 'action']);
  });

  it('has words for every end and error', () => {
    for (const end of ['answer', 'max-turns', 'context-full', 'environment-failed'])
      expect(endInWords(end)).toMatch(/^The .*\.$/);
    expect(endInWords('odd')).toBe('The rollout ended: odd.');
    for (const error of [
      'malformed',
      'unknown-tool',
      'invalid-arguments',
      'tool-error',
      'killed',
      'truncated',
      'no-answer',
      'odd',
    ])
      expect(errorInWords(error)).toMatch(/^error: /);
  });
});

describe('what the sandbox stopped', () => {
  const call = { name: 'calc', arguments: {}, result: 'error: stopped', error: 'killed', fuel: 2_000_000 } as const;

  it('names the limit on the call, and does not repeat it on the step', () => {
    expect(callProblem({ ...call, killed: 'fuel' })).toBe('stopped: it used up its fuel (2,000,000)');
    expect(callProblem({ ...call, killed: 'memory' })).toBe('stopped: it took more memory than it may');
    expect(callProblem({ ...call, error: 'tool-error' })).toBe('error: the tool failed');
    expect(callProblem({ name: 'calc', arguments: {}, result: '6', fuel: 5000 })).toBeUndefined();
    const [entry] = conversation(
      rollout({ steps: [step({ toolCalls: [{ ...call, killed: 'fuel' }], error: 'killed' })] }),
    );
    expect(entry).toMatchObject({ kind: 'action', problem: undefined });
  });

  it('names the limit of a reward on the step', () => {
    const [entry] = conversation(rollout({ steps: [step({ error: 'killed', killed: 'depth' })] }));
    expect(entry).toMatchObject({ problem: 'the reward function was stopped: it recursed too deeply' });
  });

  it('says why a tool or a reward failed', () => {
    const problem = 'TypeError: x is undefined (environment.js:9:3)';
    const [failed] = conversation(rollout({ steps: [step({ error: 'tool-error', problem })] }));
    expect(failed).toMatchObject({ problem: `the environment failed: ${problem}` });
    const [tool] = conversation(
      rollout({ steps: [step({ toolCalls: [{ ...call, error: 'tool-error' }], error: 'tool-error', problem })] }),
    );
    expect(tool).toMatchObject({ problem: `the environment failed: ${problem}` });
  });

  it('reads calls recorded before limits had names', () => {
    expect(callProblem(call)).toBe('error: the environment was stopped');
  });
});

describe('choosing rollouts', () => {
  const failing = step({
    toolCalls: [{ name: 'calc', arguments: '', result: 'no', error: 'malformed' }],
    error: 'malformed',
  });
  const all = [
    rollout({ index: 0, reward: 0.1, steps: [failing, step({ error: 'truncated' })] }),
    rollout({ index: 1, reward: 1, success: true, answer: '6', steps: [step({ text: 'so SIX' })] }),
    rollout({ index: 2, group: 1, prompt: '4+4', reward: 0.5, success: true }),
    rollout({ iteration: 5, index: 0, reward: 0.9 }),
  ];
  const every = { iteration: null, filter: 'all', sortByReward: false, groupByTask: false, search: '' } as const;
  const names = (list: readonly RolloutView[]): string[] => list.map((r) => `${r.iteration}.${r.index}`);

  it('filters, searches and sorts without changing the list', () => {
    expect(names(choose(all, { ...every, iteration: 1, filter: 'solved' }))).toEqual(['1.1', '1.2']);
    expect(names(choose(all, { ...every, filter: 'failed' }))).toEqual(['1.0', '5.0']);
    expect(names(choose(all, { ...every, filter: 'errors' }))).toEqual(['1.0']);
    expect(names(choose(all, { ...every, search: ' six ' }))).toEqual(['1.1']);
    expect(names(choose(all, { ...every, sortByReward: true }))).toEqual(['1.1', '5.0', '1.2', '1.0']);
    expect(names(all)).toEqual(['1.0', '1.1', '1.2', '5.0']);
  });

  it('shows groups whose rewards differ most first, and knows how many there are', () => {
    const rewards = [
      [1, 1],
      [0, 0.5],
      [0, 1],
    ];
    const batch = rewards.flatMap((pair, group) =>
      pair.map((reward, i) => rollout({ index: 2 * group + i, group, reward })),
    );
    expect(choose([...batch, ...all.slice(3)], every).map(({ iteration, group }) => `${iteration}.${group}`)).toEqual([
      '1.2',
      '1.2',
      '1.1',
      '1.1',
      '1.0',
      '1.0',
      '5.0',
    ]);
    expect([keptGroups(batch, 1), keptGroups(batch, 2)]).toEqual([3, 0]);
  });

  it('counts a failed call and the error it caused once', () => {
    expect(errorCount(all[0])).toBe(2);
    expect(errorCount(all[1])).toBe(0);
  });

  it('groups by task within an iteration, with the mean reward', () => {
    const lines = linesOf(all, true);
    expect(lines.map((line) => line.kind[0]).join('')).toBe('grrgrgr');
    expect(lines[0]).toMatchObject({ count: 2, rewardMean: 0.55 });
    expect(new Set(lines.map((line) => line.key)).size).toBe(lines.length);
  });

  it('reads the same task in another iteration, or else the same place', () => {
    const [a, b] = [rollout({ index: 3, taskId: 'x' }), rollout({ index: 1, taskId: 'y' })];
    expect(counterpart([a, b], rollout({ index: 3, taskId: 'y' }))).toBe(b);
    expect(counterpart([b, a], rollout({ index: 3, taskId: 'z' }))).toBe(a);
    expect(counterpart([b, a], rollout({ index: 7, taskId: 'z' }))).toBe(b);
    expect(counterpart([], a)).toBeNull();
  });

  it('follows the cursor to the nearest iteration that has rollouts', () => {
    const iterations = iterationsOf(all);
    expect(iterations).toEqual([1, 5]);
    expect([
      nearestIteration(iterations, null),
      nearestIteration(iterations, 2),
      nearestIteration(iterations, 4),
      nearestIteration([], 4),
    ]).toEqual([5, 1, 5, null]);
  });
});

describe('rowsToRender', () => {
  it('renders short lists whole and long ones around the viewport, with the active row', () => {
    expect(rowsToRender(200, 5000, 400, 34, 0)).toHaveLength(200);
    const rows = rowsToRender(5000, 34_000, 408, 34, 3);
    expect(rows[0]).toBe(3);
    expect(rows).toContain(1000);
    expect(rows).toContain(1011);
    expect(rows.length).toBeLessThan(50);
    expect(rows.every((row, i) => i === 0 || row > rows[i - 1])).toBe(true);
    expect(rowsToRender(5000, 34_000, 408, 34, 1003).filter((row) => row === 1003)).toHaveLength(1);
    expect(rowsToRender(5000, 1e9, 408, 34, -1)).toEqual([]);
  });
});

describe('signed', () => {
  it('always shows the sign, but none for zero', () => {
    expect([signed(0.5), signed(-1.234), signed(0), signed(-0.001)]).toEqual(['+0.50', '−1.23', '0.00', '0.00']);
  });
});

describe('rewardChip', () => {
  it('praises and blames only what counts, by what it counts for', () => {
    const weights = { correct: 1, calls: 0, wasted: -0.5 };
    expect(rewardChip('correct', 1, weights)).toEqual({ text: 'correct +1.00', kind: 'plus' });
    expect(rewardChip('calls', 2, weights), 'a term that does not count').toBeNull();
    expect(rewardChip('wasted', 1, weights)).toEqual({ text: 'wasted −0.50', kind: 'minus' });
    expect(rewardChip('wasted', 0, weights)).toEqual({ text: 'wasted 0.00', kind: 'neutral' });
  });

  it('takes a term as it is where no weight is known', () => {
    expect(rewardChip('calls', -1, null)).toEqual({ text: 'calls −1.00', kind: 'minus' });
    expect(rewardChip('calls', 1, {})).toEqual({ text: 'calls +1.00', kind: 'plus' });
  });
});
