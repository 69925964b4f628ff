/** Rollouts of another trainer's file as the page shows them: groups, what the file lacks, notes. */
import { expect, test } from 'vitest';
import { compareImported } from '../../src/rl/diagnostics/imported-comparison';
import { readRolloutFile, rolloutsOf } from '../../src/share/rollout-files/rollout-file';
import { creditOf, groupsOf, importedNotes, lacksOf, memberOf } from '../../src/ui/estimators/imported/imported';
import { text } from '../../src/ui/estimators/imported/text';
import { hintsOf, tableOf } from '../../src/ui/estimators/table';
import { text as estimators } from '../../src/ui/estimators/text';
import { bytesOf, linesOf, trlRows, unipoLog, verlRows } from '../helpers/rollout-files';

const open = (content: string) => readRolloutFile(bytesOf(content), 'r.jsonl');
const trl = open(linesOf(trlRows));
const members = rolloutsOf(trl, 10, [1, 1]).map(memberOf);
const comparison = compareImported(members.map(({ source }) => creditOf(source)));
const compared = { batch: members, rollout: members[0], comparison };

test('a group’s rollouts are rows, with the trainer’s advantages first', () => {
  const { rows } = tableOf(compared, members[0]);
  expect(rows.map(({ rollout, cells }) => [rollout.index, cells[0].text, cells[1].text])).toEqual([
    [0, '+1.50', '+1.50'],
    [1, '−0.50', '−0.50'],
    [3, '−0.50', '−0.50'],
    [4, '−0.50', '−0.50'],
  ]);
  expect(groupsOf(members).map(({ first, count }) => [first.index, count])).toEqual([
    [0, 4],
    [2, 2],
  ]);
});

test('a sentence says what the file lacks', () => {
  const { parts } = text.lacks;
  expect(lacksOf(trl)).toEqual([parts.logProbs, parts.tokens, parts.values]);
  expect(lacksOf(open(linesOf(verlRows)))).toEqual([parts.logProbs, parts.tokens, parts.values, parts.advantages]);
  expect(lacksOf(open(JSON.stringify(unipoLog)))).toEqual([parts.values]);
  expect(text.lacks.sentence(lacksOf(trl))).toBe(
    'The file lacks log-probabilities, numbers of tokens and a critic’s values, ' +
      'so only what needs none of them is shown: advantages, and no losses.',
  );
});

test('notes count what is here and name what is left out, and hints are about the group', () => {
  const table = tableOf(compared, members[2]);
  expect(importedNotes(compared, table)).toEqual([
    text.notes.here(6, 2, 2),
    text.notes.settings,
    'OPO, RF++base and RF++ are left out: each needs the number of tokens of each response.',
    'ReMax is left out: it needs the score of a greedy rollout of each task.',
    'GAE, GAE/step, step GAE and bi-level are left out: each needs the values of a critic.',
  ]);
  expect(hintsOf(compared, table)[0]).toBe(estimators.look.equal(2, 'GRPO, Dr.GRPO, DAPO, GiGPO, RLOO, GPG, pass@k'));
});

test('a group of one says so', () => {
  const batch = members.slice(0, 1);
  const alone = {
    batch,
    rollout: batch[0],
    comparison: compareImported(batch.map(({ source }) => creditOf(source))),
  };
  expect(hintsOf(alone, tableOf(alone, batch[0]))).toEqual([estimators.look.alone]);
});
