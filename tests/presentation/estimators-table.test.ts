/**
 * A group under every estimator as a table: which rows, what stands in a cell and how strongly it is tinted, and what
 * is said about it.
 */
import { expect, test } from 'vitest';
import { hintsOf, notesOf, tableOf, type Compared } from '../../src/presentation/estimators/table';
import { text } from '../../src/presentation/estimators/text';
import type { Comparison, RolloutCredit } from '../../src/rl/diagnostics/comparison';
import type { RolloutView } from '../../src/rl/rollouts/view';

const rollout = (index: number, reward: number, group = 0, steps = 2): RolloutView => ({
  iteration: 4,
  index,
  group,
  taskId: `task ${group}`,
  prompt: 'a task',
  reward,
  advantage: 0,
  success: reward > 0,
  end: 'answer',
  steps: Array.from({ length: steps }, () => ({ tokens: [1, 2] }) as unknown as RolloutView['steps'][number]),
});
const credit = (...means: number[]): RolloutCredit => ({
  whole: { mean: means.reduce((a, b) => a + b, 0) / means.length, even: means.every((mean) => mean === means[0]) },
  steps: means.map((mean) => ({ mean, even: true })),
});
const column = (short: string, credits: RolloutCredit[] | null, more: object = {}): Comparison['columns'][number] => ({
  name: short,
  short,
  formula: '',
  about: '',
  kind: 'group',
  own: false,
  credits,
  ...more,
});
const batch = [rollout(0, 1), rollout(1, 0), rollout(2, 1, 1), rollout(3, 1, 1)];
const comparison: Comparison = {
  columns: [
    column('GRPO', [credit(1, 1), credit(-2, -2), credit(0, 0), credit(0, 0)], { own: true }),
    column('GiGPO', [credit(1, 3), credit(-0.001, -0.001), credit(0, 0.5), credit(0, 0)]),
    column('ReMax', null, { missing: 'needs something' }),
  ],
  trained: [credit(0.5, 0.5), credit(-0.5, -0.5), credit(0, 0), credit(0, 0)],
  settings: { gamma: 1, lambda: 0.95, turnGamma: 1 },
  mistakes: [],
  planned: { rollouts: 4, group: 2 },
  differs: [],
};
const compared: Compared = { batch, rollout: batch[0], comparison };
const texts = (read: RolloutView, of = compared) =>
  tableOf(of, read).rows.map(({ cells }) => cells.map((cell) => cell.text));

test('a row each rollout of the group, and the steps of the one being read where they differ', () => {
  const { rows, read, stepwise } = tableOf(compared, batch[0]);
  expect(rows.map(({ rollout: { index }, step }) => [index, step])).toEqual([
    [0, null],
    [0, 1],
    [0, 2],
    [1, null],
  ]);
  expect(new Set(rows.map(({ key }) => key)).size, 'each row has a key of its own').toBe(rows.length);
  expect(read).toBe(batch[0]);
  expect(stepwise.map(({ short }) => short)).toEqual(['GiGPO']);
  expect(tableOf(compared, batch[1]).rows.map(({ step }) => step)).toEqual([null, null]);
});

test('a cell has a sign, ~ where tokens differ, and a dash where there is nothing', () => {
  expect(texts(batch[0])).toEqual([
    ['+0.50', '+1.00', '+2.00~', '–'],
    ['+0.50', '+1.00', '+1.00', '–'],
    ['+0.50', '+1.00', '+3.00', '–'],
    ['−0.50', '−2.00', '0.00', '–'],
  ]);
});

test('the tint follows the size on the scale of its column, and what reads as 0 has none', () => {
  const { rows } = tableOf(compared, batch[0]);
  expect(rows.map(({ cells }) => cells.map(({ tone, tintPercent }) => `${tone} ${tintPercent}`))).toEqual([
    ['up 45', 'up 23', 'up 30', 'none 0'],
    ['up 45', 'up 23', 'up 15', 'none 0'],
    ['up 45', 'up 23', 'up 45', 'none 0'],
    ['down 45', 'down 45', 'none 0', 'none 0'],
  ]);
});

test('until another iteration has been compared, the table stays at the one that was', () => {
  const later = { ...rollout(1, 1), iteration: 5 };
  expect(tableOf(compared, later).read).toBe(batch[0]);
  // Sent again, a rollout is another object.
  expect(tableOf(compared, { ...batch[2] }).read).toBe(batch[2]);
});

test('hints say what there is to see in this group', () => {
  const hints = (read: RolloutView, of = compared) => hintsOf(of, tableOf(of, read));
  expect(hints(batch[0])).toEqual([text.look.differ, text.look.batch, text.look.turns('GiGPO')]);
  expect(hints(batch[3])).toEqual([text.look.equal(2, 'GRPO'), text.look.batch, text.look.sameTurns]);
  const single = { ...compared, batch: [rollout(0, 1, 0, 1)], rollout: batch[0] };
  expect(hints(single.batch[0], single)).toEqual([text.look.alone]);
});

test('notes say how much of the batch is here, and what the run’s own column leaves open', () => {
  const notes = (of: Compared) => notesOf(of, tableOf(of, batch[0]));
  expect(notes(compared)).toEqual([
    text.notes.whole(4),
    text.notes.settings(1, 0.95, 1),
    text.notes.missing('ReMax', 'needs something'),
  ]);
  const partial = {
    ...comparison,
    planned: { rollouts: 64, group: 4 },
    differs: ['critic'] as const,
    mistakes: ['Wrong group ids.'],
  };
  expect(notes({ ...compared, comparison: partial })).toEqual([
    text.notes.part(4, 64),
    text.notes.partOfGroup(2, 4),
    text.notes.settings(1, 0.95, 1),
    'Wrong on purpose, as in the run: Wrong group ids.',
    text.differs.critic,
    text.notes.missing('ReMax', 'needs something'),
  ]);
});
