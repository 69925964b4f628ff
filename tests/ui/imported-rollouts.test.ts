/** Rollouts of another trainer's file as the page shows them: groups, what the file lacks, notes. */
import { expect, test } from 'vitest';
import { readRolloutFile } from '../../src/share/rollout-files/rollout-file';
import { comparedOf, importedNotes, lacksOf } from '../../src/ui/view/estimators/imported/imported';
import { text } from '../../src/ui/view/estimators/imported/text';
import { hintsOf, tableOf } from '../../src/presentation/estimators/table';
import { text as estimators } from '../../src/presentation/estimators/text';
import { OpenedRollouts } from '../../src/worker/opened-rollouts';
import { bytesOf, linesOf, trlRows, unipoLog, verlRows } from '../helpers/rollout-files';

const open = (content: string) => new OpenedRollouts(readRolloutFile(bytesOf(content), 'r.jsonl'));
const trl = open(linesOf(trlRows));

test('a group’s rollouts are rows, with the trainer’s advantages first', () => {
  const shown = trl.show(10, [1, 1], 0);
  const compared = comparedOf(shown);
  const { rows } = tableOf(compared, compared.rollout);
  expect(rows.map(({ rollout, cells }) => [rollout.index, cells[0].text, cells[1].text])).toEqual([
    [0, '+1.50', '+1.50'],
    [1, '−0.50', '−0.50'],
    [3, '−0.50', '−0.50'],
    [4, '−0.50', '−0.50'],
  ]);
  expect(shown.groups).toEqual([
    { first: 0, count: 4, prompt: 'What is 2 + 2?' },
    { first: 2, count: 2, prompt: 'What is 3 + 3?' },
  ]);
});

test('a rollout is shown with its own group, compared with the whole step', () => {
  const { members, read, rollouts, comparison } = trl.show(10, [1, 1], 5);
  expect(members.map(({ index }) => index)).toEqual([2, 5]);
  expect(read).toMatchObject({ index: 5, prompt: 'What is 3 + 3?', response: 'six', reward: 1 });
  expect(rollouts).toBe(6);
  const scaled = comparison.columns.find(({ short }) => short === 'RF step')!;
  expect(scaled.credits).toHaveLength(2);
  // Whitened over the step: as good as each other, and better than its mean.
  expect(scaled.credits![0].whole!.mean).toBeGreaterThan(0);
});

test('other weights give other rewards, and say whether the file’s advantages follow', () => {
  expect(trl.show(10, [1, 1], 0)).toMatchObject({ follows: true, read: { reward: 1.5 } });
  expect(trl.show(10, [-1, 0], 0)).toMatchObject({ follows: false, read: { reward: -1 } });
});

test('one thing, two and more are told apart in a list', () => {
  const lacks = (...parts: string[]) => text.lacks.sentence(parts).split(',')[0];
  expect([lacks('a'), lacks('a', 'b')]).toEqual(['The file lacks a', 'The file lacks a and b']);
  expect(text.lacks.sentence(['a', 'b', 'c'])).toContain('a, b and c, so');
  expect([text.notes.missing(['PPO'], 'needs values'), text.notes.missing(['PPO', 'GAE'], 'needs values')]).toEqual([
    'PPO is left out: it needs values.',
    'PPO and GAE are left out: each needs values.',
  ]);
});

test('a sentence says what the file lacks', () => {
  const { parts } = text.lacks;
  expect(lacksOf(trl.head)).toEqual([parts.logProbs, parts.tokens, parts.values]);
  expect(lacksOf(open(linesOf(verlRows)).head)).toEqual([parts.logProbs, parts.tokens, parts.values, parts.advantages]);
  expect(lacksOf(open(JSON.stringify(unipoLog)).head)).toEqual([parts.values]);
  expect(text.lacks.sentence(lacksOf(trl.head))).toBe(
    'The file lacks log-probabilities, numbers of tokens and a critic’s values, ' +
      'so only what needs none of them is shown: advantages, and no losses.',
  );
});

test('notes count what is here and name what is left out, and hints are about the group', () => {
  const shown = trl.show(10, [1, 1], 2);
  const compared = comparedOf(shown);
  const table = tableOf(compared, compared.rollout);
  expect(importedNotes(shown, table)).toEqual([
    text.notes.here(6, 2, 2),
    text.notes.settings,
    'OPO, RF++base and RF++ are left out: each needs the number of tokens of each response.',
    'ReMax is left out: it needs the score of a greedy rollout of each task.',
    'GAE, GAE/step, step GAE and bi-level are left out: each needs the values of a critic.',
  ]);
  expect(hintsOf(compared, table)[0]).toBe(estimators.look.equal(2, 'GRPO, Dr.GRPO, DAPO, GiGPO, RLOO, GPG, pass@k'));
  expect(hintsOf(compared, table)).toContain(estimators.look.batch);
});

test('a group of one says so', () => {
  const alone = comparedOf(open(linesOf(trlRows.slice(0, 1))).show(5, [1, 1], 0));
  expect(hintsOf(alone, tableOf(alone, alone.rollout))).toEqual([estimators.look.alone]);
});
