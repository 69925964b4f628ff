/** Where the page has the numbers of tokens from. */
import type { Explanation } from '../../../rl/diagnostics/token-explanation';
import type { TokenQuestion } from '../../../rl/learner/attention-reader';
import type { RolloutView } from '../../../rl/rollouts/view';
import type { Look } from '../../../run/attention-session';
import type { CurrentExplanation } from '../../../run/token-session';

/** What a head saw of the tokens of a rollout, from one of them on. */
export interface SeenCells {
  readonly from: number;
  /** Shares of its attention, which add up to 1. */
  readonly weights: Float32Array;
}

export interface TokenSource {
  /** As the update began. Rejects with a sentence. */
  explain(rollout: RolloutView): Promise<Explanation>;
  /** By the agent as it is now; null where the displayed run has no agent here. Rejects with a sentence. */
  readonly read: ((rollout: RolloutView) => Promise<CurrentExplanation>) | null;
  /** Where the heads look; null where the displayed run has no agent here. */
  readonly inside: {
    /** Iterations of the kept agents, ascending. */
    readonly moments: readonly number[];
    /** @param iteration of a kept agent; null asks the agent as it is now. Rejects with a sentence. */
    readonly look: (rollout: RolloutView, place: TokenQuestion, iteration: number | null) => Promise<Look>;
  } | null;
}
