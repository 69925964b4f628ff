/** A file of another trainer's rollouts, open in a worker: what the page draws of it, one group at a time. */
import { compareImportedEstimators, importedCredits, importedDefaults } from '../rl/diagnostics/imported-comparison';
import type { Comparison } from '../rl/diagnostics/comparison';
import type { ComparedEstimator } from '../algorithms/compare';
import {
  advantagesFollow,
  rolloutsOf,
  type GroupedRollout,
  type RolloutFile,
} from '../share/rollout-files/rollout-file';

export interface RolloutFileHead extends Pick<RolloutFile, 'name' | 'format' | 'steps' | 'terms' | 'hasLogProbs'> {
  /** Number of rollouts. */
  readonly rollouts: number;
  /** What all of its rollouts have. */
  readonly hasTokens: boolean;
  readonly hasValues: boolean;
  readonly hasAdvantages: boolean;
}

/** A group of a step, by its first rollout. */
export interface ImportedGroup {
  readonly first: number;
  readonly count: number;
  /** Where its prompt begins. */
  readonly prompt: string;
}

/** A rollout with its group under every estimator. */
export interface ShownRollout {
  /** Number of rollouts of the step. */
  readonly rollouts: number;
  /** Those of the step, in the order of the file. */
  readonly groups: readonly ImportedGroup[];
  /** Rollouts of the group. */
  readonly members: readonly Pick<GroupedRollout, 'step' | 'index' | 'group' | 'reward' | 'tokens'>[];
  /** Of the members, among all rollouts of the step. */
  readonly comparison: Pick<Comparison, 'columns' | 'trained'>;
  /** Whether the file's advantages are those of these rewards. */
  readonly follows: boolean;
  readonly read: Pick<GroupedRollout, 'index' | 'prompt' | 'response' | 'reward' | 'rewards'>;
}

interface ComparedStep {
  readonly key: string;
  readonly rollouts: readonly GroupedRollout[];
  readonly estimators: readonly ComparedEstimator[];
  readonly groups: readonly ImportedGroup[];
  readonly follows: boolean;
}

const promptCharacters = 60;

export class OpenedRollouts {
  #compared: ComparedStep | null = null;

  constructor(private readonly file: RolloutFile) {}

  get head(): RolloutFileHead {
    const { name, format, steps, terms, hasLogProbs, rollouts } = this.file;
    return {
      name,
      format,
      steps,
      terms,
      hasLogProbs,
      rollouts: rollouts.length,
      hasTokens: rollouts.every(({ tokens }) => tokens !== undefined),
      hasValues: rollouts.every(({ values }) => values !== undefined),
      hasAdvantages: rollouts.every(({ advantages }) => advantages !== undefined),
    };
  }

  /**
   * @param step one of the file's
   * @param weights of its terms [terms]
   * @param index of the rollout in its step
   */
  show(step: number, weights: readonly number[], index: number): ShownRollout {
    const { rollouts, estimators, groups, follows } = this.#compare(step, weights);
    const read = rollouts[index];
    const members = rollouts.filter(({ group }) => group === read.group);
    const places = members.map((member) => member.index);
    return {
      groups,
      follows,
      rollouts: rollouts.length,
      members: members.map((each) => ({
        step,
        index: each.index,
        group: each.group,
        reward: each.reward,
        tokens: each.tokens,
      })),
      comparison: importedCredits(estimators, rollouts, places),
      read: { index, prompt: read.prompt, response: read.response, reward: read.reward, rewards: read.rewards },
    };
  }

  /** Compares a step once, however many of its rollouts are shown. */
  #compare(step: number, weights: readonly number[]): ComparedStep {
    const key = JSON.stringify([step, weights]);
    if (this.#compared?.key === key) return this.#compared;
    const rollouts = rolloutsOf(this.file, step, weights);
    this.#compared = {
      key,
      rollouts,
      estimators: compareImportedEstimators(rollouts, importedDefaults),
      groups: groupsOf(rollouts),
      follows: this.file.terms.length < 2 || advantagesFollow(rollouts),
    };
    return this.#compared;
  }
}

function groupsOf(rollouts: readonly GroupedRollout[]): ImportedGroup[] {
  const groups: ImportedGroup[] = [];
  for (const { group, index, prompt } of rollouts) {
    const { first = index, count = 0 } = groups[group] ?? {};
    groups[group] = { first, count: count + 1, prompt: prompt.slice(0, promptCharacters) };
  }
  return groups;
}
