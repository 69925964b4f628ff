/**
 * Each token of a shown rollout with the numbers of its loss. Without a reading, as its update began: the ratio was 1
 * then, because the agent that learned was the agent that sampled. With one, by the agent that was read.
 */
import { policyTerm, type PolicyTerm } from '../../algorithms/policy-term';
import { algorithms } from '../../algorithms/table';
import type { RunConfig } from '../../config/config';
import { groupMembers } from '../../algorithms/episodes/groups';
import type { TokenReading } from '../learner/token-reader';
import { klEstimate } from '../../algorithms/rewards/kl-penalty';
import type { RolloutView } from '../rollouts/view';
import type { TemplateReading } from './template-reading';

/** Of one action token. */
export interface TokenNumbers extends PolicyTerm {
  /** Log-probability by the agent whose ratio it is. */
  readonly logProb: number;
  /** Log-probability under the reference; null where it was not compared. */
  readonly reference: number | null;
  /** The run's estimate of this token's KL to the reference, nats; null without a reference. */
  readonly kl: number | null;
  /** The likeliest tokens in its place, the best first; null without a reading. */
  readonly likeliest: TokenReading['likeliest'] | null;
}

export interface Explanation {
  /** Title of the algorithm. */
  readonly algorithm: string;
  /** The loss looks at whole sequences, and the run trained on tokens of the environment too, which are left out. */
  readonly partial: boolean;
  /** [turns][action tokens] */
  readonly tokens: readonly (readonly TokenNumbers[])[];
  /** By the model's own chat template; null for a model without one, not given where no agent is there to ask. */
  readonly template?: TemplateReading | null;
}

/** @param readings [turns][action tokens]; null explains the beginning of the update */
export function explainTokens(
  { steps }: RolloutView,
  config: RunConfig,
  readings: readonly (readonly TokenReading[])[] | null,
): Explanation {
  const { lossMask, klEstimator, name } = config.algorithm;
  const { title, loss: kind, sequence: unit } = algorithms[name];
  const lossTokens = steps.map(({ logProbs, advantages }, k) =>
    logProbs.map((oldLogProb, t) => ({
      logProb: readings?.[k][t].logProb ?? oldLogProb,
      oldLogProb,
      advantage: advantages[t],
    })),
  );
  let segment = -1;
  const sequenceOf = steps.map(({ continues }) => (continues && unit !== 'step' ? segment : ++segment));
  const members = groupMembers(sequenceOf);
  const tokens = steps.map(({ references }, k) => {
    const sequence = members.get(sequenceOf[k])!.flatMap((step) => lossTokens[step]);
    return lossTokens[k].map((token, t): TokenNumbers => {
      const reading = readings?.[k][t];
      const reference = reading?.reference ?? references?.[t] ?? null;
      return {
        ...policyTerm(kind, token, sequence, config.algorithm),
        logProb: token.logProb,
        reference,
        kl: reference === null ? null : klEstimate(klEstimator, token.logProb, reference),
        likeliest: reading?.likeliest ?? null,
      };
    });
  });
  return { algorithm: title, partial: !lossMask && (kind === 'gspo' || kind === 'gmpo'), tokens };
}
