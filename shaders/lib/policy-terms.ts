/**
 * Policy losses of one token; the formulas stand in policy-terms.wgsl. Each writes the token's value, ratio and what is
 * clipped to its statistics, and returns its slope, d value / d log-prob.
 */
import { exp } from './math';

/** In the order of src/ops/policy-loss.ts. */
export const enum Kind {
  CLIP,
  CISPO,
  SAPO,
  REINFORCE,
  GSPO,
  GMPO,
}

/** What a site writes, the columns of `stats`. */
@unmanaged
export class Stats {
  logProb: f32;
  entropy: f32;
  value: f32;
  kl: f32;
  ratio: f32;
  clipped: f32;
  dualClipped: f32;
  drop: f32; // old − log-prob
}

/** Sums over the tokens of one sequence. */
@unmanaged
export class Sequence {
  tokens: f32;
  logRatio: f32;
  held: f32; // Σ y of GMPO
  advantage: f32;
}

@inline
function clamp(x: f32, low: f32, high: f32): f32 {
  return min<f32>(max<f32>(x, low), high);
}

@inline
function finish(stats: Stats, value: f32, ratio: f32, clipped: bool, dualClipped: bool): void {
  stats.value = value;
  stats.ratio = ratio;
  stats.clipped = <f32>clipped;
  stats.dualClipped = <f32>dualClipped;
}

@inline
function tokenRatio(logRatio: f32): f32 {
  return exp(clamp(logRatio, -20, 20));
}

/** @param flows whether the ratio follows the log-prob, or stands at the bound that keeps it finite */
function clippedLoss(stats: Stats, ratio: f32, advantage: f32, low: f32, high: f32, flows: bool): f32 {
  const free = -advantage * ratio;
  const held = -advantage * clamp(ratio, 1 - low, 1 + high);
  finish(stats, max<f32>(free, held), ratio, held > free, false);
  return free >= held && flows ? free : 0;
}

export function clipLoss(stats: Stats, logRatio: f32, advantage: f32, low: f32, high: f32, dualClip: f32): f32 {
  const slope = clippedLoss(stats, tokenRatio(logRatio), advantage, low, high, abs<f32>(logRatio) <= 20);
  const bound = -advantage * dualClip;
  if (advantage >= 0 || !(stats.value > bound)) return slope;
  stats.value = bound;
  stats.dualClipped = 1;
  return 0;
}

export function cispoLoss(stats: Stats, logRatio: f32, advantage: f32, low: f32, high: f32): f32 {
  const ratio = tokenRatio(logRatio);
  const held = clamp(ratio, 1 - low, 1 + high);
  finish(stats, -held * advantage * stats.logProb, ratio, held != ratio, false);
  return -held * advantage;
}

export function sapoLoss(stats: Stats, logRatio: f32, advantage: f32): f32 {
  const tau: f32 = advantage > 0 ? 1 : 1.05;
  const ratio = tokenRatio(logRatio);
  const gate: f32 = <f32>1 / (1 + exp(-tau * (ratio - 1)));
  finish(stats, (<f32>-4 / tau) * gate * advantage, ratio, false, false);
  return abs<f32>(logRatio) <= 20 ? -4 * gate * (1 - gate) * ratio * advantage : 0;
}

export function reinforceLoss(stats: Stats, logRatio: f32, advantage: f32): f32 {
  finish(stats, -advantage * stats.logProb, tokenRatio(logRatio), false, false);
  return -advantage;
}

/** y of GMPO. */
export function heldLogRatio(logRatio: f32, advantage: f32, low: f32, high: f32): f32 {
  if (advantage == 0) return 0;
  return advantage > 0 ? min<f32>(logRatio, high) : max<f32>(logRatio, -low);
}

export function gspoLoss(stats: Stats, sequence: Sequence, advantage: f32, low: f32, high: f32): f32 {
  const mean = sequence.logRatio / sequence.tokens;
  return clippedLoss(stats, exp(min<f32>(mean, 10)), advantage, low, high, mean <= 10);
}

export function gmpoLoss(stats: Stats, sequence: Sequence, logRatio: f32, advantage: f32, low: f32, high: f32): f32 {
  const ratio = exp(sequence.held / sequence.tokens);
  const value = (-sequence.advantage / sequence.tokens) * ratio;
  const outside = logRatio < -low || logRatio > high;
  finish(stats, value, ratio, outside && advantage > 0, outside && advantage < 0);
  return advantage != 0 && heldLogRatio(logRatio, advantage, low, high) == logRatio ? value : 0;
}
