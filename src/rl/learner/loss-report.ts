/** What a learner reports of its updates. */
import type { AdamWReport } from '../../model/adamw';
import type { ModelPart } from '../../model/gradient-norms';

/** Means over the sites of everything learned from since the last report; 0 if there was no site. */
export interface LossReport {
  readonly sites: number;
  /** Sum of weighted losses, divided by the number of updates. */
  readonly loss: number;
  readonly entropy: number;
  readonly clipFraction: number;
  /** Of these, clipped with a positive advantage (above) and with another one (below); and cut by the dual clip. */
  readonly clippedAbove: number;
  readonly clippedBelow: number;
  readonly dualClipped: number;
  /** k1 estimate of KL(policy that sampled ‖ policy as it was updated), nats a token. */
  readonly approxKl: number;
  /** Gradient norm before clipping, of the last update that was not skipped. */
  readonly gradientNorm: number;
  /** The same in each part of the model, 0 before any policy update; null if it was not finite. */
  readonly partNorms: Partial<Record<ModelPart, number>> | null;
  /** Null without a critic. Loss and share of clipped values, per update. */
  readonly critic: { readonly loss: number; readonly clipFraction: number; readonly gradientNorm: number } | null;
  /** Updates skipped because the loss or the gradient held NaN or infinity. */
  readonly skipped: number;
}

/** What is read back for a report: sums over sites by name, and what the optimizers did. */
export interface Readback {
  readonly updates: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly optimizer: AdamWReport;
  readonly partNorms: LossReport['partNorms'];
  readonly critic: (AdamWReport & { readonly loss: number; readonly clipFraction: number }) | null;
}

export function lossReport({ updates, totals, optimizer, partNorms, critic }: Readback): LossReport {
  const { sites, weightedLoss, entropy, clipped, clippedAbove, dualClipped, approxKl } = totals;
  const { gradientNorm, skipped } = optimizer;
  // A skipped update may have added nothing to the totals.
  const perUpdate = (sum: number, left: number) => sum / Math.max(1, updates - left);
  const mean = (sum: number) => (sites > 0 ? sum / sites : 0);
  return {
    sites,
    loss: perUpdate(weightedLoss, skipped),
    entropy: mean(entropy),
    clipFraction: mean(clipped),
    clippedAbove: mean(clippedAbove),
    clippedBelow: mean(clipped - clippedAbove),
    dualClipped: mean(dualClipped),
    approxKl: mean(approxKl),
    gradientNorm,
    partNorms,
    critic: critic && {
      loss: perUpdate(critic.loss, critic.skipped),
      clipFraction: perUpdate(critic.clipFraction, critic.skipped),
      gradientNorm: critic.gradientNorm,
    },
    skipped: Math.max(skipped, critic?.skipped ?? 0),
  };
}
