/** Masked policy-gradient loss on the CPU; the formulas stand in policy-loss.wgsl. */
import { klSlope, klValue } from './lib/kl';
import {
  cispoLoss,
  clipLoss,
  gmpoLoss,
  gspoLoss,
  heldLogRatio,
  Kind,
  reinforceLoss,
  sapoLoss,
  Sequence,
  Stats,
} from './lib/policy-terms';
import { addGradient, entropyOf, logProbOf, logSumOf, softmaxOf, softmaxRow } from './lib/softmax';
import { firstItem, scratch } from './lib/parts';

@unmanaged
class Policy {
  logits: usize;
  targets: usize;
  sites: usize;
  stats: usize;
  logitsGrad: usize;
  settings: usize;
  sequences: usize;
  logRatios: usize;
  sums: usize;
  slopes: usize;
  V: u32;
  KIND: u32;
  KL: u32;
}

@unmanaged
class Settings {
  inverseTemperature: f32;
  clipLow: f32;
  clipHigh: f32;
  dualClip: f32;
  klCoefficient: f32;
  entropyCoefficient: f32;
}

/** An element of `sites`. */
@unmanaged
class Label {
  old: f32;
  reference: f32;
  advantage: f32;
  weight: f32;
}

@inline
function labelOf(args: Policy, site: u32): Label {
  return changetype<Label>(args.sites + 16 * site);
}

@inline
function statsOf(args: Policy, site: u32): Stats {
  return changetype<Stats>(args.stats + 32 * site);
}

@inline
function settingsOf(args: Policy): Settings {
  return changetype<Settings>(args.settings);
}

@inline
function rowOf(args: Policy, site: u32): usize {
  return args.logits + 4 * site * args.V;
}

@inline
function siteSoftmax(args: Policy, site: u32): v128 {
  if (args.sums) return softmaxOf(v128.load(args.sums + 16 * site));
  return softmaxRow(rowOf(args, site), args.V, settingsOf(args).inverseTemperature);
}

@inline
function siteLogProb(args: Policy, site: u32, softmax: v128): f32 {
  if (args.sums) return load<f32>(args.sums + 16 * site + 12) - logSumOf(softmax);
  const target = load<u32>(args.targets + 4 * site);
  return logProbOf(softmax, rowOf(args, site), target, settingsOf(args).inverseTemperature);
}

function tokenLoss(args: Policy, stats: Stats, advantage: f32): f32 {
  const settings = settingsOf(args);
  const logRatio = -stats.drop;
  const low = settings.clipLow;
  const high = settings.clipHigh;
  if (args.KIND == Kind.CISPO) return cispoLoss(stats, logRatio, advantage, low, high);
  if (args.KIND == Kind.SAPO) return sapoLoss(stats, logRatio, advantage);
  if (args.KIND == Kind.REINFORCE) return reinforceLoss(stats, logRatio, advantage);
  return clipLoss(stats, logRatio, advantage, low, high, settings.dualClip);
}

function sequenceLoss(args: Policy, stats: Stats, sequence: Sequence, advantage: f32): f32 {
  const low = settingsOf(args).clipLow;
  const high = settingsOf(args).clipHigh;
  if (args.KIND == Kind.GMPO) return gmpoLoss(stats, sequence, -stats.drop, advantage, low, high);
  return gspoLoss(stats, sequence, advantage, low, high);
}

/** Writes the statistics that do not depend on the kind of loss. */
function score(args: Policy, site: u32, softmax: v128): void {
  const stats = statsOf(args, site);
  const label = labelOf(args, site);
  stats.logProb = siteLogProb(args, site, softmax);
  stats.entropy = entropyOf(softmax);
  stats.kl = klValue(args.KL, stats.logProb, label.reference);
  stats.drop = label.old - stats.logProb;
}

/** @param lossSlope d loss / d log-prob */
function addSiteGradient(args: Policy, site: u32, softmax: v128, lossSlope: f32): void {
  const settings = settingsOf(args);
  const label = labelOf(args, site);
  if (label.weight == 0) return;
  const klPart = settings.klCoefficient * klSlope(args.KL, statsOf(args, site).logProb, label.reference);
  const slope = label.weight * (lossSlope + klPart) * settings.inverseTemperature;
  const spread = label.weight * settings.entropyCoefficient * settings.inverseTemperature;
  if (args.slopes) {
    v128.store(args.slopes + 16 * site, f32x4(logSumOf(softmax), entropyOf(softmax), slope, spread));
    return;
  }
  const gradient = args.logitsGrad + 4 * site * args.V;
  const target = load<u32>(args.targets + 4 * site);
  const V = args.V;
  addGradient(gradient, rowOf(args, site), V, settings.inverseTemperature, softmax, target, slope, spread);
}

export function forward(args: Policy, sites: u32, part: u32, parts: u32): void {
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const softmax = siteSoftmax(args, site);
    score(args, site, softmax);
    const slope = tokenLoss(args, statsOf(args, site), labelOf(args, site).advantage);
    addSiteGradient(args, site, softmax, slope);
  }
}

export function measure(args: Policy, sites: u32, part: u32, parts: u32): void {
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const logProb = siteLogProb(args, site, siteSoftmax(args, site));
    store<f32>(args.logRatios + 4 * site, logProb - labelOf(args, site).old);
  }
}

/** Over the sites of a sequence, from `first` up to `end`. */
function addUp(args: Policy, first: u32, end: u32, sequence: Sequence): void {
  const settings = settingsOf(args);
  let logRatios: f32 = 0;
  let held: f32 = 0;
  let advantages: f32 = 0;
  for (let site = first; site < end; site++) {
    const advantage = labelOf(args, site).advantage;
    const logRatio = load<f32>(args.logRatios + 4 * site);
    logRatios += logRatio;
    held += heldLogRatio(logRatio, advantage, settings.clipLow, settings.clipHigh);
    advantages += advantage;
  }
  sequence.tokens = <f32>max<u32>(1, end - first);
  sequence.logRatio = logRatios;
  sequence.held = held;
  sequence.advantage = advantages;
}

export function forwardSequence(args: Policy, sites: u32, part: u32, parts: u32): void {
  const sequence = changetype<Sequence>(scratch);
  let known = u64.MAX_VALUE; // the bounds of the sequence that is added up
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const bounds = load<u64>(args.sequences + 8 * site);
    if (bounds != known) addUp(args, <u32>bounds, <u32>(bounds >> 32), sequence);
    known = bounds;
    const softmax = siteSoftmax(args, site);
    score(args, site, softmax);
    const slope = sequenceLoss(args, statsOf(args, site), sequence, labelOf(args, site).advantage);
    addSiteGradient(args, site, softmax, slope);
  }
}
