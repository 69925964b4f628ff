/**
 * The fused masked policy-gradient loss (shaders/policy-loss.wgsl): statistics of each site and the gradient at its
 * logits, which the forward list already writes. The kind of loss is a constant of the kernel.
 */
import type { Constants, Device } from '../device/device';
import { Struct } from '../device/struct';
import { uniformTensor, writeTensor, type Tensor } from '../device/tensor';
import type { Tape } from '../device/tape';
import { assert } from '../lib/assert';
import type { Rows } from './rows';
import { lossLogits } from './loss-logits';
import { softmaxGrid } from './softmax-lanes';
import { gatherSlices, type SlicedLogits } from './vocabulary-slices';

const kinds = ['clip', 'cispo', 'sapo', 'reinforce', 'gspo', 'gmpo'] as const;
const klEstimators = ['k1', 'abs', 'k2', 'k3', 'k3+'] as const;
/** Formulas are in shaders/lib/policy-terms.wgsl. */
export type PolicyLossKind = (typeof kinds)[number];
/** Formulas are in shaders/lib/kl.wgsl; `k3+` has the value of k3 and the gradient of k2. */
export type KlEstimator = (typeof klEstimators)[number];

/** What a kernel is made for. */
export interface LossTerms {
  readonly kind: PolicyLossKind;
  readonly kl: KlEstimator;
  /** Logits in slices have a cheaper gradient if the coefficient of the entropy is always 0. */
  readonly hasBonus?: boolean;
}

export interface PolicyLossSettings {
  readonly temperature: number;
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Of `clip` only. */
  readonly dualClip: number;
  readonly klCoefficient: number;
  readonly entropyCoefficient: number;
}

/** Sites (M) are the predictions of tokens in the loss. Those past the last have weight 0. */
export interface LossInputs {
  readonly targets: Tensor; // u32 [M]
  /** Old log-prob, reference log-prob, advantage, weight. */
  readonly sites: Tensor; // [M, 4]
  /** First site of the site's sequence and one past its last; only for kinds that look at sequences. */
  readonly sequences?: Tensor; // u32 [M, 2]
  /** Written: log-prob, entropy, loss, KL, ratio, clipped, dual-clipped, old − log-prob. */
  readonly stats: Tensor; // [M, 8]
}

/** Columns of a site's statistics, and where two of them are. */
export const statsPerSite = 8;
export const statColumn = { logProb: 0, entropy: 1 } as const;

const settingsStruct = new Struct('policy-loss', 'Settings');

/** A uniform that `writePolicySettings` fills. */
export function policySettings(device: Device): Tensor {
  return uniformTensor(device, 'policy loss settings', new Uint32Array(settingsStruct.size));
}

export function writePolicySettings(device: Device, tensor: Tensor, settings: PolicyLossSettings): void {
  writeTensor(device, tensor, settingsStruct.pack({ ...settings, inverseTemperature: 1 / settings.temperature }));
}

/**
 * @param logits [M, V] with a gradient, or in slices: their gradient is then in the tape's backward
 * @param rows number of leading sites to compute in this replay
 */
export function policyLoss(
  tape: Tape,
  logits: Tensor | SlicedLogits,
  inputs: LossInputs,
  settings: Tensor,
  rows: Rows,
  { kind = 'clip', kl = 'k3', hasBonus = true }: Partial<LossTerms> = {},
): void {
  const { M, lanes, constants: ofLogits, read, written } = lossLogits(logits);
  const constants = { ...ofLogits, ...oneOf(kinds, 'KIND', kind), ...oneOf(klEstimators, 'KL', kl) };
  const grid = () => softmaxGrid(rows.count, lanes);
  if ('slices' in logits) gatherSlices(tape, logits, inputs, settings, hasBonus);
  const { targets, sites, stats, sequences } = inputs;
  const bindings = { ...read, targets, sites, stats, ...written, settings };
  if (kind !== 'gspo' && kind !== 'gmpo') return tape.dispatch('policy-loss', 'forward', constants, bindings, grid);
  assert(sequences, `the ${kind} loss looks at sequences, but is not told which sites make one`);
  const logRatios = tape.constant('log-ratios', [M]);
  tape.dispatch('policy-loss', 'measure', constants, { ...read, targets, sites, settings, logRatios }, grid);
  tape.dispatch('policy-loss', 'forwardSequence', constants, { ...bindings, sequences, logRatios }, grid);
}

/** WGSL constants: a number for each name (`k3+` is K3_PLUS), and `choice` set to one of them. */
function oneOf<K extends string>(names: readonly K[], choice: string, value: K): Constants {
  const numbers = Object.fromEntries(names.map((name, i) => [name.toUpperCase().replace('+', '_PLUS'), i]));
  return { ...numbers, [choice]: names.indexOf(value) };
}
