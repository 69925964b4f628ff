/**
 * The fused masked policy-gradient loss (shaders/policy-loss.wgsl): statistics of each site and the gradient at its logits
 * in one dispatch. The loss is the end of a model, so its gradient is written in the forward list.
 * Knows nothing of advantages' origin, packing or optimizers.
 */
import type { Device } from '../gpu/device';
import { createTensor, writeTensor, type Tensor } from '../gpu/tensor';
import type { Tape } from '../gpu/tape';
import { assert } from '../lib/assert';
import { softmaxGrid, softmaxLanes } from './softmax-lanes';

export interface PolicyLossSettings {
  readonly temperature: number;
  readonly clipLow: number;
  readonly clipHigh: number;
  readonly dualClip: number;
  readonly klCoefficient: number;
  readonly entropyCoefficient: number;
}

/** What a loss reads besides logits; all [M] or [M, 4]. Sites past the last have weight 0. */
export interface LossInputs {
  readonly targets: Tensor; // u32 [M]
  /** Old log-prob, reference log-prob, advantage, weight. */
  readonly sites: Tensor; // [M, 4]
  /** Written: log-prob, entropy, loss, k3, ratio, clipped, dual-clipped, old − log-prob. */
  readonly stats: Tensor; // [M, 8]
}

export const statsPerSite = 8;

/** A uniform that `writePolicySettings` fills. */
export function policySettings(device: Device): Tensor {
  return createTensor(device, 'policy loss settings', [8], { uniform: true });
}

export function writePolicySettings(device: Device, tensor: Tensor, settings: PolicyLossSettings): void {
  const { temperature, clipLow, clipHigh, dualClip, klCoefficient, entropyCoefficient } = settings;
  writeTensor(device, tensor, Float32Array.of(1 / temperature, clipLow, clipHigh, dualClip, klCoefficient, entropyCoefficient, 0, 0));
}

/** @param rows how many leading sites matter this replay */
export function policyLoss(tape: Tape, logits: Tensor, inputs: LossInputs, settings: Tensor, rows: () => number): void {
  const [M, V] = logits.shape;
  assert(logits.grad, `${logits.name} needs a gradient to receive the policy loss`);
  const lanes = softmaxLanes(V);
  const bindings = { logits, targets: inputs.targets, sites: inputs.sites, stats: inputs.stats, logits_grad: logits.grad, settings };
  tape.dispatch('policy-loss', 'forward', { M, V, LANES: lanes }, bindings, () => softmaxGrid(rows(), lanes));
}
