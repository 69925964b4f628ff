/** Logged rollouts of one iteration under another reward, by the run's own estimator. */
import type { EnvironmentDescription } from '../../agent/env';
import { weightedReward } from '../../agent/flow';
import { sum } from '../../lib/mean';
import { estimate } from '../../algorithms/algorithm';
import { algorithms } from '../../algorithms/table';
import type { RewardWeights } from '../../config/changed-reward';
import type { RunConfig } from '../../config/config';
import { estimatorSettings } from '../../config/with-algorithm';
import { keptRollouts } from '../rollouts/collect';
import { estimatorInput, type TokenScores } from '../rollouts/estimator-input';
import { rewardWeights } from '../rollouts/setup';
import type { RolloutView, StepView } from '../rollouts/view';
import { meanCredit } from './comparison';
import type { RolloutReplay } from './rollout-replay';

/** What a rollout earned, and the mean advantage of its agent tokens: 0 where the run's filter leaves it out. */
export interface RolloutScore {
  readonly reward: number;
  /** Null where `missing` says what is missing. */
  readonly advantage: number | null;
}

export interface RewardTerm {
  readonly name: string;
  readonly description: string;
  /** In the run. */
  readonly weight: number;
  /** Mean over the rollouts, unweighted. */
  readonly mean: number;
}

export interface Rescoring {
  readonly terms: readonly RewardTerm[];
  /** Under the run's weights. [rollouts] */
  readonly before: readonly RolloutScore[];
  /** Under the others. [rollouts] */
  readonly after: readonly RolloutScore[];
  /** What rollouts do not keep and the estimator needs; null if there is nothing of the kind. */
  readonly missing: string | null;
  /** Rollouts of an iteration, by the config. */
  readonly planned: number;
  /** Of the play under other code; absent under the run's own. */
  readonly replay?: Omit<RolloutReplay, 'rollouts'> & {
    /** The other environment has the tokens that the agent learned. */
    readonly sameTokens: boolean;
  };
}

/** Rollouts and the environment whose rewards they have. */
export interface Rewarded {
  readonly rollouts: readonly RolloutView[];
  readonly description: EnvironmentDescription;
}

/**
 * @param logged rollouts of a run of this config @param weights of the terms that differ from the run's
 * @param replayed the same rollouts under other code, if the code differs too
 */
export function rescoreRollouts(
  logged: Rewarded,
  config: RunConfig,
  weights: RewardWeights,
  replayed: Rewarded = logged,
): Rescoring {
  const missing = missingFor(logged.rollouts, config);
  const score = (rollouts: readonly RolloutView[], by: RewardWeights) =>
    scoresOf(rollouts, config, by, missing === null);
  const before = rewardWeights({ config, description: logged.description });
  const { rollouts, description } = replayed;
  const own = rewardWeights({ config, description });
  return {
    terms: Object.entries(description.rewards).map(([name, term]) => ({
      name,
      description: term.description,
      weight: own[name],
      mean: sum(rollouts.map((rollout) => termOf(rollout, name))) / Math.max(1, rollouts.length),
    })),
    before: score(logged.rollouts, before),
    // Rollouts that went another way have the terms of the code before.
    after: score(rollouts, { ...before, ...own, ...weights }),
    missing,
    planned: config.rollout.tasks * config.rollout.group,
  };
}

const termOf = ({ steps }: RolloutView, name: string): number => sum(steps.map(({ rewards }) => rewards[name] ?? 0));

/** @param estimated off: no advantages */
function scoresOf(
  rollouts: readonly RolloutView[],
  config: RunConfig,
  weights: RewardWeights,
  estimated: boolean,
): RolloutScore[] {
  const scored = rollouts.map((rollout) => ({ ...rollout, reward: weightedReward(rollout.steps, weights) }));
  if (!estimated) return scored.map(({ reward }) => ({ reward, advantage: null }));
  const kept = keptRollouts(scored, config.filter, config.rollout.tasks);
  const chosen = kept.map((i) => scored[i]);
  const scores = loggedScores(chosen);
  const input = estimatorInput({ rollouts: chosen, weights, klCoefficient: klInReward(config), scores }, config);
  const { advantages } = estimate(algorithms[config.algorithm.name], input, estimatorSettings(config));
  return scored.map(({ reward, steps }, i) => {
    const columns = advantages[kept.indexOf(i)] ?? [];
    const written = columns.flatMap((column, k) => Array.from(column.subarray(0, steps[k].tokens.length)));
    return { reward, advantage: meanCredit(written)?.mean ?? 0 };
  });
}

/** What the model said of the agent's tokens. The environment's have no credit, so no estimator reads theirs. */
function loggedScores(rollouts: readonly RolloutView[]): TokenScores {
  const columns = (of: (step: StepView) => readonly number[] | undefined) =>
    rollouts.map(({ steps }) => steps.map((step) => Float64Array.from(of(step) ?? [])));
  return {
    logProbs: columns(({ logProbs }) => logProbs),
    referenceLogProbs: columns(({ references }) => references),
    values: columns(({ values }) => values),
  };
}

const klInReward = ({ algorithm }: RunConfig): number => (algorithm.klPlace === 'reward' ? algorithm.klCoefficient : 0);

/** A sentence if the run's estimator needs something that rollouts do not keep, else null. */
function missingFor(rollouts: readonly RolloutView[], config: RunConfig): string | null {
  const { name, advantageMask, klTarget } = config.algorithm;
  const { title, critic, greedyBaseline } = algorithms[name];
  const kl = klInReward(config) > 0;
  const all = (has: (step: StepView) => unknown) => rollouts.every(({ steps }) => steps.every(has));
  if (greedyBaseline) return `${title} needs a greedy rollout of each task, which is not kept.`;
  if (critic && !all(({ values }) => values)) return `${title} needs its critic’s values, which are not kept here.`;
  if (kl && !all(({ references }) => references))
    return 'The KL in the reward needs the reference’s log-probabilities, which are not kept here.';
  if (kl && klTarget > 0) return 'The weight of the KL in the reward changes from step to step, and is not kept.';
  if (!advantageMask && (critic || kl))
    return 'Tokens of the environment have credit in this run, and what the model said of them is not kept.';
  return null;
}
