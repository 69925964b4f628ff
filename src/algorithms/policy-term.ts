/**
 * What one token adds to the policy loss, in float64 and in writing: the formula of the kind of loss, and the same with
 * the token's numbers. The kernels have the same formulas (shaders/lib/policy-terms.wgsl).
 */
import { mean } from '../lib/mean';
import { exp } from '../lib/portable-math';
import type { PolicyLossKind, PolicyLossSettings } from '../ops/policy-loss';

/** A token in the loss. */
export interface LossToken {
  readonly logProb: number;
  /** Log-probability when it was sampled. */
  readonly oldLogProb: number;
  readonly advantage: number;
}

export interface PolicyTerm {
  /** The token's loss before its weight; of GMPO the sequence's. */
  readonly loss: number;
  /** Of the token, or of its sequence. */
  readonly ratio: number;
  /** The bound of the ratio holds. */
  readonly clipped: boolean;
  /** The dual clip bounds the loss; of GMPO the bound of the ratio where the advantage is negative. */
  readonly dualClipped: boolean;
  readonly formula: string;
  /** The formula with this token's numbers. */
  readonly numbers: string;
}

export type TermSettings = Pick<PolicyLossSettings, 'clipLow' | 'clipHigh' | 'dualClip'>;

/** @param sequence the tokens in the loss that share the token's ratio, itself among them */
type Term = (token: LossToken, sequence: readonly LossToken[], settings: TermSettings) => PolicyTerm;

export function policyTerm(kind: PolicyLossKind, ...[token, sequence, settings]: Parameters<Term>): PolicyTerm {
  return terms[kind](token, sequence, settings);
}

const terms: Readonly<Record<PolicyLossKind, Term>> = { clip, cispo, sapo, reinforce, gspo, gmpo };

function clip(token: LossToken, _: readonly LossToken[], settings: TermSettings): PolicyTerm {
  const { advantage } = token;
  const { dualClip } = settings;
  const term = bounded(tokenRatio(token), advantage, settings, 'ρ');
  const limit = -advantage * dualClip;
  if (!(advantage < 0)) return term;
  const dualClipped = term.loss > limit;
  return {
    ...term,
    dualClipped,
    loss: dualClipped ? limit : term.loss,
    formula: `min(−A · ${short(dualClip)}, ${term.formula})`,
    numbers: `min(${short(limit)}, ${term.numbers})`,
  };
}

function cispo(token: LossToken, _: readonly LossToken[], settings: TermSettings): PolicyTerm {
  const { logProb, advantage } = token;
  const ratio = tokenRatio(token);
  const held = clamp(ratio, ...bounds(settings));
  return {
    ...unclipped,
    loss: -held * advantage * logProb,
    ratio,
    clipped: held !== ratio,
    formula: `−clamp(ρ, ${words(settings)}) · A · log π`,
    numbers: `−${short(held)} · ${factor(advantage)} · ${factor(logProb)}`,
  };
}

function sapo(token: LossToken): PolicyTerm {
  const { advantage } = token;
  const ratio = tokenRatio(token);
  const tau = advantage > 0 ? 1 : 1.05;
  const gate = 1 / (1 + exp(-tau * (ratio - 1)));
  return {
    ...unclipped,
    loss: (-4 / tau) * gate * advantage,
    ratio,
    formula: '−(4 / τ) · σ(τ (ρ − 1)) · A',
    numbers: `−(4 / ${tau}) · σ(${tau} · ${factor(ratio - 1)}) · ${factor(advantage)}`,
  };
}

function reinforce(token: LossToken): PolicyTerm {
  const { logProb, advantage } = token;
  return {
    ...unclipped,
    loss: -advantage * logProb,
    ratio: tokenRatio(token),
    formula: '−A · log π',
    numbers: `−${factor(advantage)} · ${factor(logProb)}`,
  };
}

function gspo({ advantage }: LossToken, sequence: readonly LossToken[], settings: TermSettings): PolicyTerm {
  const term = bounded(exp(Math.min(mean(sequence.map(logRatio)), 10)), advantage, settings, 's');
  return { ...term, formula: `${term.formula}, s = exp(mean of log ρ over ${tokensIn(sequence)})` };
}

function gmpo(token: LossToken, sequence: readonly LossToken[], settings: TermSettings): PolicyTerm {
  const { clipLow, clipHigh } = settings;
  const held = (each: LossToken) => {
    if (each.advantage === 0) return 0;
    return each.advantage > 0 ? Math.min(logRatio(each), clipHigh) : Math.max(logRatio(each), -clipLow);
  };
  const advantage = mean(sequence.map((each) => each.advantage));
  const exponent = mean(sequence.map(held));
  const outside = logRatio(token) < -clipLow || logRatio(token) > clipHigh;
  return {
    loss: -advantage * exp(exponent),
    ratio: exp(exponent),
    clipped: outside && token.advantage > 0,
    dualClipped: outside && token.advantage < 0,
    formula: `−mean A · exp(mean y) over ${tokensIn(sequence)}, y = log ρ held to −${clipLow} … ${clipHigh}`,
    numbers: `−${factor(advantage)} · exp(${short(exponent)})`,
  };
}

/** The clipped loss of a ratio that is called by this name. */
function bounded(ratio: number, advantage: number, settings: TermSettings, name: string): PolicyTerm {
  const held = clamp(ratio, ...bounds(settings));
  const [free, bound] = [-advantage * ratio, -advantage * held];
  const a = factor(advantage);
  return {
    ...unclipped,
    loss: Math.max(free, bound),
    ratio,
    clipped: bound > free,
    formula: `max(−A · ${name}, −A · clamp(${name}, ${words(settings)}))`,
    numbers: `max(−${a} · ${short(ratio)}, −${a} · ${short(held)})`,
  };
}

const unclipped = { clipped: false, dualClipped: false };

const bounds = ({ clipLow, clipHigh }: TermSettings) => [1 - clipLow, 1 + clipHigh] as const;
const words = (settings: TermSettings): string => bounds(settings).map(short).join(' … ');

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

const tokensIn = ({ length }: readonly LossToken[]): string => `${length} token${length === 1 ? '' : 's'}`;

const logRatio = ({ logProb, oldLogProb }: LossToken): number => logProb - oldLogProb;
const tokenRatio = (token: LossToken): number => exp(clamp(logRatio(token), -20, 20));

/** Three decimals, without zeros at the end. */
export const short = (value: number): string => String(Number(value.toFixed(3))).replace('-', '−');
/** In brackets if negative. */
const factor = (value: number): string => (value < 0 ? `(${short(value)})` : short(value));
