/**
 * The same batch through every estimator, side by side. What an estimator needs and the batch does not hold is either
 * stated (values) or the reason why its column is empty. It compares advantages only: losses, aggregation and clipping
 * are not here. Algorithms that share an estimator share a column, and some columns belong to none; a test holds that
 * what an algorithm estimates is among them.
 */
import { biLevelGae } from '../advantages/bi-level-gae';
import { dapoAdvantages, type OverlongSettings } from '../advantages/dapo';
import { creditedTokens, episodeReward, tokenColumns, type Episode, type TokenColumns } from '../episodes/episode';
import { gigpo } from '../advantages/gigpo';
import { gpgAdvantages } from '../advantages/gpg';
import { groupAdvantages } from '../advantages/grpo';
import { opoAdvantages } from '../advantages/opo';
import { passKAdvantages } from './pass-k';
import { reinforcePlusPlus, reinforcePlusPlusBaseline } from '../advantages/reinforce-plus-plus';
import { reinforceStep } from '../advantages/reinforce-step';
import { remax } from '../advantages/remax';
import { rlooAdvantages } from '../advantages/rloo';
import { stepGae } from './step-gae';
import { tokenGae } from './token-gae';
import { groupMembers, spread } from '../episodes/groups';

export interface ComparedBatch {
  readonly episodes: readonly Episode[];
  /** Key of the state each step started from. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
  /** Score of the greedy rollout of each episode's task, where one was made. [episodes] */
  readonly greedyRewards?: readonly number[];
  /** A critic's estimates, where there was a critic; else `groupMeanValues` stands in. [episodes][steps][n] */
  readonly values?: TokenColumns;
}

export interface CompareSettings {
  /** Discount, per token or per step as each estimator has it. */
  readonly gamma: number;
  readonly lambda: number;
  /** Discount per turn of bi-level GAE. */
  readonly turnGamma: number;
  /** Weight of GiGPO's step term. */
  readonly stepWeight: number;
  /** DAPO's penalty for length; null is none. */
  readonly overlong: OverlongSettings | null;
  /** The mistake of REINFORCE++, see mistakes.ts. */
  readonly creditReset: boolean;
}

export const compareDefaults: CompareSettings = {
  gamma: 0.99,
  lambda: 0.95,
  turnGamma: 0.95,
  stepWeight: 1,
  overlong: null,
  creditReset: false,
};

export interface ComparedEstimator {
  readonly name: string;
  /** At most eight characters, for the head of a column. */
  readonly short: string;
  readonly formula: string;
  /** 'critic' estimators were given values, or the stand-in. */
  readonly kind: 'group' | 'return' | 'critic';
  /** Null where the batch lacks something; then `missing` says what. */
  readonly advantages: TokenColumns | null;
  readonly missing?: string;
}

/** Every estimator's advantages of one batch, in a fixed order. Masked tokens are exactly 0 in each. */
export function compareEstimators(batch: ComparedBatch, settings: CompareSettings): ComparedEstimator[] {
  return [
    ...groupEstimators(batch, settings),
    ...returnEstimators(batch, settings),
    ...criticEstimators(batch, settings),
  ];
}

/** The stand-in for a critic: the mean score of an episode's group, before every token. */
export function groupMeanValues(episodes: readonly Episode[]): Float64Array[][] {
  const scores = episodes.map(episodeReward);
  const means = new Float64Array(episodes.length);
  for (const group of groupMembers(episodes.map((episode) => episode.group)).values()) {
    const { mean } = spread(group.map((i) => scores[i]));
    for (const i of group) means[i] = mean;
  }
  return episodes.map(({ steps }, i) => steps.map(({ mask }) => new Float64Array(mask.length).fill(means[i])));
}

function groupEstimators({ episodes, anchors }: ComparedBatch, settings: CompareSettings): ComparedEstimator[] {
  const kind = 'group';
  const scores = episodes.map(episodeReward);
  const lengths = episodes.map(creditedTokens);
  const groups = episodes.map(({ group }) => group);
  const spreadOut = (advantages: Float64Array): TokenColumns => tokenColumns(episodes, (i) => advantages[i]);
  const dapo = settings.overlong
    ? dapoAdvantages(scores, lengths, groups, settings.overlong)
    : groupAdvantages(scores, groups, true);
  const steps = { gamma: settings.gamma, stepWeight: settings.stepWeight, normalizeStd: true };
  return [
    {
      name: 'GRPO',
      short: 'GRPO',
      formula: '(s − mean) / (std + ε)',
      kind,
      advantages: spreadOut(groupAdvantages(scores, groups, true)),
    },
    {
      name: 'Dr. GRPO',
      short: 'Dr.GRPO',
      formula: 's − mean',
      kind,
      advantages: spreadOut(groupAdvantages(scores, groups, false)),
    },
    { name: 'DAPO', short: 'DAPO', formula: 'GRPO of s + over-long penalty', kind, advantages: spreadOut(dapo) },
    {
      name: 'RLOO',
      short: 'RLOO',
      formula: 's − mean of the others',
      kind,
      advantages: spreadOut(rlooAdvantages(scores, groups)),
    },
    {
      name: 'OPO',
      short: 'OPO',
      formula: 's − length-weighted mean',
      kind,
      advantages: spreadOut(opoAdvantages(scores, lengths, groups)),
    },
    {
      name: 'GPG',
      short: 'GPG',
      formula: 'B / #(s ≠ 0) · (s − mean)',
      kind,
      advantages: spreadOut(gpgAdvantages(scores, groups)),
    },
    {
      name: 'GRPO pass@k',
      short: 'pass@k',
      formula: 'best: (s − second) / (std + ε)',
      kind,
      advantages: spreadOut(passKAdvantages(scores, groups)),
    },
    {
      name: 'GiGPO',
      short: 'GiGPO',
      formula: 'GRPO + w · GRPO of G inside equal states',
      kind,
      advantages: gigpo(episodes, anchors, steps),
    },
    {
      name: 'REINFORCE++-baseline',
      short: 'RF++base',
      formula: 'whiten(s − mean)',
      kind,
      advantages: reinforcePlusPlusBaseline(episodes),
    },
  ];
}

function returnEstimators(
  { episodes, greedyRewards }: ComparedBatch,
  { gamma, creditReset }: CompareSettings,
): ComparedEstimator[] {
  const kind = 'return';
  const plusPlus = reinforcePlusPlus(episodes, { gamma, resetAtEnvironment: creditReset });
  const greedy = greedyRewards
    ? { advantages: remax(episodes, greedyRewards) }
    : { advantages: null, missing: 'needs the score of a greedy rollout of each task' };
  return [
    { name: 'REINFORCE++', short: 'RF++', formula: 'whiten(G), G per token', kind, advantages: plusPlus.advantages },
    {
      name: 'REINFORCE over steps',
      short: 'RF step',
      formula: 'whiten(G), G per step',
      kind,
      advantages: reinforceStep(episodes, gamma).advantages,
    },
    { name: 'ReMax', short: 'ReMax', formula: 'reward-to-go − s of the greedy rollout', kind, ...greedy },
  ];
}

function criticEstimators(
  { episodes, values }: ComparedBatch,
  { gamma, lambda, turnGamma }: CompareSettings,
): ComparedEstimator[] {
  const kind = 'critic';
  const v = values ?? groupMeanValues(episodes);
  const tokens = (across: 'episode' | 'step'): TokenColumns =>
    tokenGae(episodes, v, { gamma, lambda, across }).advantages;
  return [
    {
      name: 'Token GAE across steps',
      short: 'GAE',
      formula: 'Σ (γλ)ᵗ δ over tokens of the episode',
      kind,
      advantages: tokens('episode'),
    },
    {
      name: 'Token GAE within a step',
      short: 'GAE/step',
      formula: 'Σ (γλ)ᵗ δ over tokens of the step, which hears of no later reward',
      kind,
      advantages: tokens('step'),
    },
    {
      name: 'Step GAE',
      short: 'step GAE',
      formula: 'Σ (γλ)ᵏ δ over steps (StepPO, PSPO)',
      kind,
      advantages: stepGae(episodes, v, { gamma, lambda }).advantages,
    },
    {
      name: 'Bi-level GAE',
      short: 'bi-level',
      formula: 'GAE over turns, then inside each',
      kind,
      advantages: biLevelGae(episodes, v, { gamma, lambda, turnGamma }).advantages,
    },
  ];
}
