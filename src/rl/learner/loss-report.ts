/** What a learner reports of its updates. */
import type { AdamWReport } from '../../model/adamw';
import type { ModelPart } from '../../model/parameters';

/** Means over the sites of everything learned from since the last report; 0 if there was no site. */
export type LossReport = ReturnType<typeof lossReport>;

/**
 * @param updates since the last report
 * @param totals sums over sites by name
 * @param critic sums of mean loss and clip fraction over updates, and what its optimizer did
 */
export function lossReport(
  updates: { readonly policy: number; readonly critic: number },
  { sites, weightedLoss, entropy, clipped, clippedAbove, dualClipped, approxKl }: Readonly<Record<string, number>>,
  partNorms: Partial<Record<ModelPart, number>> | null,
  { gradientNorm, skipped }: AdamWReport,
  critic: (AdamWReport & { readonly loss: number; readonly clipFraction: number }) | undefined,
) {
  // A skipped update may have added nothing to the totals.
  const perUpdate = (sum: number, done: number, left: number) => sum / Math.max(1, done - left);
  const mean = (sum: number) => (sites > 0 ? sum / sites : 0);
  return {
    sites,
    /** Sum of weighted losses, divided by the number of updates. */
    loss: perUpdate(weightedLoss, updates.policy, skipped),
    entropy: mean(entropy),
    clipFraction: mean(clipped),
    /** Of these, clipped with a positive advantage (above) and with another one (below); and cut by the dual clip. */
    clippedAbove: mean(clippedAbove),
    clippedBelow: mean(clipped - clippedAbove),
    dualClipped: mean(dualClipped),
    /** k1 estimate of KL(policy that sampled ‖ policy as it was updated), nats a token. */
    approxKl: mean(approxKl),
    /** Norm before clipping, of the last update that was not skipped; null if all were. */
    gradientNorm: updates.policy > skipped ? gradientNorm : null,
    /** The same in each part of the model, 0 before any policy update; null if it was not finite. */
    partNorms,
    /** Null without a critic. Loss and share of clipped values, per update. */
    critic: critic
      ? {
          loss: perUpdate(critic.loss, updates.critic, critic.skipped),
          clipFraction: perUpdate(critic.clipFraction, updates.critic, critic.skipped),
          gradientNorm: critic.gradientNorm,
        }
      : null,
    /** Updates skipped because the loss or the gradient held NaN or infinity. */
    skipped: Math.max(skipped, critic?.skipped ?? 0),
  };
}
