/** Where the numbers of a rollout's tokens come from: the trainer. */
import type { Explanation } from '../../rl/diagnostics/token-explanation';
import type { RolloutView } from '../../rl/rollouts/view';
import type { CurrentExplanation } from '../../worker/token-session';

export interface TokenSource {
  /** As the update began. Rejects with a sentence. */
  explain(rollout: RolloutView): Promise<Explanation>;
  /** By the agent as it is now; null where the displayed run has no agent here. Rejects with a sentence. */
  readonly read: ((rollout: RolloutView) => Promise<CurrentExplanation>) | null;
}
