/**
 * The reference vectors of advantages, returns and rewards, each run through the product code. A vector's matrices
 * become episodes: a row is a whole trajectory, a step of one, or a trajectory cut into turns, as its kind says. What
 * is compared is never computed here.
 */
import { expect } from 'vitest';
import { biLevelGae } from '../../src/algorithms/bi-level-gae';
import { overlongPenalty } from '../../src/algorithms/rewards/overlong';
import {
  creditedTokens,
  episodeReward,
  tokenColumns,
  type Episode,
  type TokenColumns,
} from '../../src/algorithms/episodes/episode';
import { gigpoAdvantages } from '../../src/algorithms/gigpo';
import { gpgAdvantages } from '../../src/algorithms/gpg';
import { groupAdvantages } from '../../src/algorithms/grpo';
import { opoAdvantages } from '../../src/algorithms/opo';
import { passKAdvantages } from '../../src/algorithms/pass-k';
import { stepReturns, tokenReturns } from '../../src/algorithms/episodes/returns';
import { rlooAdvantages, twoSourceReturns } from '../../src/algorithms/rloo';
import { stepGae } from '../../src/algorithms/step-ppo';
import { tokenGae } from '../../src/algorithms/token-gae';
import { collapseMetrics } from '../../src/rl/diagnostics/collapse';
import { adaptBeta, klEstimate, penaliseKl } from '../../src/algorithms/rewards/kl-penalty';
import { scaleProcessRewards } from '../../src/algorithms/rewards/shaping';
import { keptGroups, type RolloutFilter } from '../../src/rl/rollouts/filter';
import { meanAndStd } from '../../src/algorithms/episodes/groups';
import { whitenTokens } from '../../src/algorithms/episodes/whiten';
import type { Matrix } from '../reference/masked';
import { estimateOf } from './estimates';
import { expectNear, type VectorCase } from './vectors';

type Runner = (vector: VectorCase, tolerance: number) => void;

export const advantageRunners: Readonly<Record<string, Runner>> = {
  gae_token({ inputs, params, expected }, tolerance) {
    const episodes = rowEpisodes(inputs.rewards, inputs.mask);
    for (const gaeAcross of ['episode', 'step'] as const) {
      const settings = { gamma: params.gamma, lambda: params.lam, gaeAcross };
      const values = oneStep(inputs.values).map(([row]) => [Float64Array.from(row)]);
      const got = estimateOf('ppo', episodes, settings, { values });
      const raw = tokenGae(episodes, values, settings).advantages;
      const compared = inputs.action_mask ?? inputs.mask;
      expectColumns(firstSteps(raw), expected.advantages_raw, compared, tolerance, 'advantages_raw');
      expectColumns(firstSteps(got.returns!), expected.returns, compared, tolerance, 'returns');
      expectColumns(firstSteps(got.advantages), expected.advantages, compared, tolerance, 'advantages');
      expectZeroWhereMasked(firstSteps(got.advantages), inputs.mask);
    }
  },

  gae_bi_level({ inputs, params, expected }, tolerance) {
    const cut = (matrix: Matrix): number[][][] => matrix.map((row, b) => cutAfter(row, inputs.turn_end[b]));
    const [masks, rewards] = [cut(inputs.mask), cut(inputs.rewards)];
    const episodes = masks.map((steps, b) => ({
      group: b,
      steps: steps.map((mask, k) => ({ mask, rewards: rewards[b][k] })),
    }));
    const settings = { gamma: params.gamma, lambda: params.lam, turnGamma: params.turn_gamma };
    const got = biLevelGae(episodes, cut(inputs.values), settings);
    expectNear(joined(got.returns), expected.returns, tolerance, 'returns');
    expectNear(joined(whitenTokens(episodes, got.advantages)), expected.advantages, tolerance, 'advantages');
  },

  gae_step({ inputs, params, expected }, tolerance) {
    const rows = stepRows(inputs);
    const settings = { gamma: params.gamma, lambda: params.lam };
    const steps = stepGae(rows.episodes, rows.split(inputs.values), settings);
    const got = estimateOf('step-ppo', rows.episodes, settings, { values: rows.split(inputs.values) });
    expectNear(rows.join(steps.returns), expected.row_returns, tolerance, 'row_returns');
    expectNear(rows.join(steps.advantages), expected.row_advantages_raw, tolerance, 'row_advantages_raw');
    expectFinite(rows.join(got.advantages));
    if (expected.advantages)
      expectNear(arrays(rows.join(got.advantages)), expected.advantages, tolerance, 'advantages');
    if (expected.returns) expectNear(arrays(rows.join(got.returns!)), expected.returns, tolerance, 'returns');
  },

  gae_token_across_steps({ inputs, params, expected }, tolerance) {
    const rows = stepRows(inputs);
    const got = tokenGae(rows.episodes, rows.split(inputs.values), {
      gamma: params.gamma,
      lambda: params.lam,
      gaeAcross: 'episode',
    });
    expectNear(arrays(rows.join(got.advantages)), expected.advantages_raw, tolerance, 'advantages_raw');
    expectNear(arrays(rows.join(got.returns)), expected.returns, tolerance, 'returns');
    const whitened = whitenTokens(rows.episodes, got.advantages);
    expectNear(arrays(rows.join(whitened)), expected.advantages, tolerance, 'advantages');
  },

  reinforce_pp({ inputs, params, expected, counter_example: mistake }, tolerance) {
    const episodes = rowEpisodes(inputs.rewards, inputs.mask);
    const got = estimateOf('reinforce-pp', episodes, { gamma: params.gamma });
    const returns = tokenReturns(episodes, params.gamma);
    expectNear(arrays(firstSteps(returns)), expected.returns, tolerance, 'returns');
    expectNear(arrays(firstSteps(got.advantages)), expected.advantages, tolerance, 'advantages');
    if (!mistake) return;
    const wrong = firstSteps(tokenReturns(episodes, params.gamma, true));
    expectNear(
      arrays(wrong),
      mistake.returns_if_the_sum_restarts_at_environment_tokens,
      tolerance,
      'returns with the mistake',
    );
  },

  reinforce_step({ inputs, params, expected }, tolerance) {
    const rows = stepRows(inputs);
    const got = estimateOf('reinforce', rows.episodes, { gamma: params.gamma });
    const returns = stepReturns(rows.episodes, params.gamma);
    expectNear(rows.join(returns), expected.row_returns, tolerance, 'row_returns');
    expectFinite(rows.join(got.advantages));
    if (expected.advantages)
      expectNear(arrays(rows.join(got.advantages)), expected.advantages, tolerance, 'advantages');
    if (expected.returns) {
      const columns = tokenColumns(rows.episodes, (i, k) => returns[i][k]);
      expectNear(arrays(rows.join(columns)), expected.returns, tolerance, 'returns');
    }
  },

  group_advantage({ inputs, params, expected }, tolerance) {
    expect(params.eps).toBe(1e-6);
    const episodes = rowEpisodes(inputs.rewards, inputs.mask, inputs.group);
    const row = expected.row_advantage;
    for (const [name, advantages] of Object.entries(scoreEstimators(episodes))) {
      if (row[name]) expectNear(byMask(advantages, inputs.mask), row[name], tolerance, name);
      expectExactZeros(name, advantages, episodes);
    }
    const whitened = firstSteps(estimateOf('reinforce-pp-baseline', episodes).advantages);
    expectNear(rowValues(whitened, inputs.mask), row.reinforce_pp_baseline, tolerance, 'reinforce_pp_baseline');
    const greedy = firstSteps(estimateOf('remax', episodes, {}, { greedyScores: inputs.greedy_baseline }).advantages);
    expectNear(arrays(greedy), expected.remax_advantages, tolerance, 'remax_advantages');
    expectZeroWhereMasked(whitened, inputs.mask);
    expectZeroWhereMasked(greedy, inputs.mask);
  },

  group_advantage_step({ inputs, params, expected }, tolerance) {
    const rows = stepRows(inputs);
    const { grpo, grpo_no_std: noStd, rloo } = scoreEstimators(rows.episodes);
    for (const [name, advantages] of Object.entries({ grpo, grpo_no_std: noStd, rloo })) {
      const broadcast = rows.join(rows.episodes.map(({ steps }, i) => steps.map(() => advantages[i])));
      expectNear(byMask(broadcast, inputs.mask), expected.row_advantage[name], tolerance, name);
    }
    for (const [name, normalizeStd] of [
      ['gigpo_mean_std_norm', true],
      ['gigpo_mean_norm', false],
    ] as const) {
      const settings = { gamma: params.gamma, stepWeight: params.step_weight, normalizeStd };
      const got = rows.join(gigpoAdvantages(rows.episodes, rows.split(inputs.anchor), settings));
      expectNear(rowValues(got, inputs.mask), expected.row_advantage[name], tolerance, name);
    }
    expectNear(rows.join(stepReturns(rows.episodes, params.gamma)), expected.step_returns, tolerance, 'step_returns');
    const whitened = arrays(rows.join(estimateOf('reinforce-pp-baseline', rows.episodes).advantages));
    expectNear(whitened, expected.reinforce_pp_baseline_advantages, tolerance, 'reinforce_pp_baseline_advantages');
  },

  kl_in_reward({ inputs, params, expected }, tolerance) {
    const episodes = rowEpisodes(inputs.scores, inputs.mask);
    const { estimator, beta, adaptive } = params;
    const got = penaliseKl(episodes, oneStep(inputs.old_log_prob), oneStep(inputs.ref_log_prob), { estimator, beta });
    expectNear(
      got.map(({ steps }) => Array.from(steps[0].rewards)),
      expected.rewards,
      tolerance,
      'rewards',
    );
    // Mean over rows of the mean over their agent tokens; a row without any counts as 0.
    const rowKl = (inputs.mask as Matrix).map((row, b) => {
      const kl = row.flatMap((m, t) =>
        m === 1 ? [klEstimate(estimator, inputs.old_log_prob[b][t], inputs.ref_log_prob[b][t])] : [],
      );
      return kl.reduce((sum, each) => sum + each, 0) / Math.max(1, kl.length);
    });
    const meanKl = rowKl.reduce((sum, each) => sum + each, 0) / rowKl.length;
    expectNear(meanKl, expected.mean_kl, tolerance, 'mean_kl');
    let now = beta;
    const betas = adaptive.kl_factors.map(
      (factor: number) => (now = adaptBeta(now, meanKl * factor, adaptive.n_steps, adaptive)),
    );
    expectNear(betas, expected.beta_after_each_update, tolerance, 'beta_after_each_update');
  },

  process_reward({ inputs, params, expected }, tolerance) {
    if (params.kind === 'two_source_rloo') {
      const groups = inputs.mask.map((_: unknown, b: number) => Math.floor(b / params.n_samples));
      const episodes = rowEpisodes(inputs.process, inputs.mask, groups);
      const returns = twoSourceReturns(
        episodes,
        { rewards: oneStep(inputs.process), gamma: params.gamma_process },
        { rewards: oneStep(inputs.outcome), gamma: params.gamma_outcome },
      );
      expectColumns(firstSteps(returns), expected.returns, inputs.mask, tolerance, 'returns');
      expectNear(arrays(firstSteps(whitenTokens(episodes, returns))), expected.advantages, tolerance, 'advantages');
      return;
    }
    const scaled = scaleProcessRewards(rowEpisodes(inputs.process, inputs.mask)).map(({ steps }) =>
      Array.from(steps[0].rewards),
    );
    expectNear(scaled, expected.process_scaled, tolerance, 'process_scaled');
    const rewards = scaled.map((row, b) => row.map((reward, t) => reward + inputs.outcome[b][t]));
    expectNear(rewards, expected.rewards, tolerance, 'rewards');
  },

  rollout_filter({ inputs, params, expected }, tolerance) {
    const rewards: Matrix = inputs.rewards;
    expectNear(
      rewards.map((group) => meanAndStd(group).std),
      expected.group_std,
      tolerance,
      'group_std',
    );
    const strategies: Readonly<Record<string, RolloutFilter['strategy']>> = {
      top_p: params.top_p_prob_mode === 'softmax' ? 'top-p-softmax' : 'top-p-linear',
      top_k: 'top-k-share',
      top_k_abs: 'top-k',
      min_p: 'min-p',
    };
    const kept = keptGroups(rewards, {
      strategy: strategies[params.strategy],
      value: params.value,
      includeZero: params.include_zero,
    });
    expect(kept).toEqual(expected.kept_groups);
  },

  collapse({ inputs, expected }, tolerance) {
    const got = collapseMetrics(inputs.cross_log_prob, inputs.own_column);
    expectNear(got.mutualInformation, expected.mutual_information, tolerance, 'mutual_information');
    expectNear(got.upperBound, expected.upper_bound, tolerance, 'upper_bound');
    expectNear(got.conditionalEntropy, expected.conditional_entropy, tolerance, 'conditional_entropy');
    expectNear(got.entropy, expected.entropy, tolerance, 'entropy');
    expectNear(got.retrievalAccuracy, expected.retrieval_accuracy, tolerance, 'retrieval_accuracy');
  },

  overlong({ inputs, params, expected }, tolerance) {
    const settings = { longest: params.max_length, buffer: params.buffer, factor: params.penalty };
    expectNear(overlongPenalty(inputs.length, settings), expected.penalty, tolerance, 'penalty');
  },
};

/** Each row a whole episode in one step; groups are the rows themselves unless given. */
export function rowEpisodes(
  rewards: Matrix,
  masks: Matrix,
  groups: readonly unknown[] = masks.map((_, b) => b),
): Episode[] {
  return masks.map((mask, b) => ({ group: groups[b], steps: [{ mask, rewards: rewards[b] }] }));
}

/** A matrix of rows as columns of episodes with one step. */
export const oneStep = (matrix: Matrix): (readonly number[])[][] => matrix.map((row) => [row]);

export const firstSteps = (columns: TokenColumns): Float64Array[] => columns.map(([step]) => step);
export const arrays = (rows: readonly Float64Array[]): number[][] => rows.map((row) => Array.from(row));

/** Rows that are steps, in any order, as episodes; `split` and `join` carry other columns there and back. */
export function stepRows(inputs: VectorCase['inputs']) {
  const { mask, rewards, trajectory, step, group } = inputs;
  const names: string[] = [...new Set<string>(trajectory)];
  const order = names.map((name) =>
    (trajectory as string[]).flatMap((own, b) => (own === name ? [b] : [])).sort((a, b) => step[a] - step[b]),
  );
  const episodes: Episode[] = order.map((rows, i) => ({
    group: group ? group[rows[0]] : i,
    steps: rows.map((b) => ({ mask: mask[b], rewards: rewards[b] })),
  }));
  return {
    episodes,
    split: <T>(column: readonly T[]): T[][] => order.map((rows) => rows.map((b) => column[b])),
    join: <T>(columns: readonly (readonly T[])[]): T[] => {
      const rows: T[] = [];
      order.forEach((own, i) => own.forEach((b, k) => (rows[b] = columns[i][k])));
      return rows;
    },
  };
}

/** Estimators that give one number an episode, by their names in the vectors. */
function scoreEstimators(episodes: readonly Episode[]) {
  const scores = episodes.map(episodeReward);
  const groups = episodes.map(({ group }) => group);
  return {
    grpo: groupAdvantages(scores, groups, true),
    grpo_no_std: groupAdvantages(scores, groups, false),
    rloo: rlooAdvantages(scores, groups),
    opo: opoAdvantages(scores, episodes.map(creditedTokens), groups),
    gpg: gpgAdvantages(scores, groups),
    grpo_pass_k: passKAdvantages(scores, groups),
  };
}

/** A row cut after each of its turn ends; what follows the last is a turn of its own, without agent tokens. */
function cutAfter(row: readonly number[], ends: readonly number[]): number[][] {
  const turns: number[][] = [[]];
  row.forEach((value, t) => {
    turns.at(-1)!.push(value);
    if (ends[t] === 1) turns.push([]);
  });
  return turns;
}

const joined = (columns: TokenColumns): number[][] => columns.map((steps) => steps.flatMap((step) => Array.from(step)));

/** A row's value at its action tokens: 0 for a row without any. */
function byMask(values: ArrayLike<number>, mask: Matrix): number[] {
  return mask.map((row, b) => (row.includes(1) ? values[b] : 0));
}

/** The number that every action token of a row carries. */
function rowValues(rows: readonly Float64Array[], mask: Matrix): number[] {
  return mask.map((row, b) => {
    const own = Array.from(rows[b]).filter((_, t) => row[t] === 1);
    expect(new Set(own).size).toBeLessThanOrEqual(1);
    return own[0] ?? 0;
  });
}

function expectColumns(
  rows: readonly Float64Array[],
  expected: Matrix,
  compared: Matrix,
  tolerance: number,
  where: string,
): void {
  const select = (matrix: readonly ArrayLike<number>[]): number[][] =>
    compared.map((row, b) => row.map((m, t) => (m === 1 ? matrix[b][t] : 0)));
  expectNear(select(rows), select(expected), tolerance, where);
}

function expectZeroWhereMasked(rows: readonly Float64Array[], mask: Matrix): void {
  mask.forEach((row, b) => row.forEach((m, t) => m === 1 || expect(rows[b][t]).toBe(0)));
}

function expectFinite(rows: readonly Float64Array[]): void {
  for (const row of rows) expect(row.every(Number.isFinite)).toBe(true);
}

/** Groups with equal rewards give exactly 0, not a small number. */
function expectExactZeros(name: string, advantages: Float64Array, episodes: readonly Episode[]): void {
  const scores = episodes.map(episodeReward);
  for (const { group } of episodes) {
    const members = episodes.flatMap((episode, i) => (episode.group === group ? [i] : []));
    const isEqual = members.length > 1 && members.every((i) => scores[i] === scores[members[0]]);
    if (isEqual) for (const i of members) expect(Math.abs(advantages[i]), `${name}, equal rewards`).toBe(0);
  }
}
