/** Rollouts of another trainer under every estimator: those that need what a file lacks are left out. */
import { expect, test } from 'vitest';
import { compareDefaults, compareEstimators } from '../../src/algorithms/compare';
import { groupAdvantages } from '../../src/algorithms/grpo';
import { rlooAdvantages } from '../../src/algorithms/rloo';
import type { ImportedCredit } from '../../src/rl/diagnostics/imported-comparison';
import { compareImported } from '../helpers/rollout-files';

const rewards = [1.5, 0, 0, 1, 1, 0.25];
const groups = [0, 0, 0, 1, 1, 2];
const rollouts: ImportedCredit[] = rewards.map((reward, i) => ({ reward, group: groups[i] }));
const lengths = [3, 5, 2, 4, 4, 7];
const counted = rollouts.map((rollout, i) => ({ ...rollout, tokens: lengths[i] }));
const column = (of: readonly ImportedCredit[], short: string) =>
  compareImported(of).columns.find((each) => each.short === short)!;
const means = (of: readonly ImportedCredit[], short: string) =>
  column(of, short).credits?.map(({ whole }) => whole!.mean);
const shown = (of: readonly ImportedCredit[]) =>
  compareImported(of).columns.flatMap(({ short, credits }) => (credits ? [short] : []));

test('without lengths and a critic, what is left needs neither', () => {
  expect(shown(rollouts)).toEqual(['GRPO', 'Dr.GRPO', 'DAPO', 'GiGPO', 'RLOO', 'GPG', 'pass@k', 'RF step']);
  expect(means(rollouts, 'GRPO')).toEqual([...groupAdvantages(rewards, groups, true)]);
  expect(means(rollouts, 'RLOO')).toEqual([...rlooAdvantages(rewards, groups)]);
  expect(column(rollouts, 'OPO').missing).toBe('needs the number of tokens of each response');
  expect(column(rollouts, 'GAE').missing).toBe('needs the values of a critic');
  expect(column(rollouts, 'ReMax').missing).toBe('needs the score of a greedy rollout of each task');
});

test('lengths bring the estimators that weigh by tokens, and a critic’s values the others', () => {
  expect(means(counted, 'OPO')![0]).toBe(1.5 - (1.5 * 3) / 10);
  expect(shown(counted)).toEqual([
    'GRPO',
    'Dr.GRPO',
    'DAPO',
    'GiGPO',
    'RLOO',
    'OPO',
    'GPG',
    'RF++base',
    'pass@k',
    'RF step',
    'RF++',
  ]);
  const valued = counted.map((rollout) => ({ ...rollout, values: Array.from({ length: rollout.tokens }, () => 0.5) }));
  expect(shown(valued)).toHaveLength(compareImported(valued).columns.length - 1);
  // λ = 1 without a discount: reward minus value at every token, then whitened.
  const credits = means(valued, 'GAE')!;
  expect(credits[0]).toBeGreaterThan(credits[3]);
  expect(credits[1]).toBe(credits[2]);
});

test('what the file says of advantages stands beside them', () => {
  const [with_, perToken, without] = compareImported([
    { ...counted[0], advantages: [0.75] },
    { ...counted[1], advantages: [1, 2, 3, 4, 5] },
    counted[2],
  ]).trained;
  expect(with_.whole).toEqual({ mean: 0.75, even: true });
  expect(perToken.whole).toEqual({ mean: 3, even: false });
  expect(without.whole).toBeNull();
});

test('a column says that it needs lengths exactly where they change it', () => {
  const credits = (of: readonly number[]) =>
    compareEstimators(
      {
        episodes: rewards.map((reward, i) => ({
          group: groups[i],
          steps: [{ mask: new Uint8Array(of[i]).fill(1), rewards: new Float64Array(of[i]).fill(reward, of[i] - 1) }],
        })),
        anchors: rewards.map(() => ['']),
        greedyScores: rewards.map(() => 0.5),
        values: rewards.map((_, i) => [new Float64Array(of[i]).fill(0.3)]),
      },
      { ...compareDefaults, gamma: 1, lambda: 0.9 },
    );
  const [short, long] = [rewards.map(() => 1), lengths].map(credits);
  const firstOf = (advantages: (typeof short)[number]['advantages']) => advantages!.map(([step]) => step[0]);
  for (const [c, each] of short.entries()) {
    const equal = firstOf(each.advantages).every((value, i) => value === firstOf(long[c].advantages)[i]);
    expect([each.short, each.byTokens ?? false]).toEqual([each.short, !equal]);
  }
});
