/** Cross-entropy on the CPU; the formulas stand in cross-entropy.wgsl. */
import { addGradient, entropyOf, logProbOf, logSumOf, softmaxOf, softmaxRow } from './lib/softmax';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  logits: usize;
  targets: usize;
  sites: usize;
  stats: usize;
  logitsGrad: usize;
  sums: usize;
  slopes: usize;
  V: u32;
}

export function forward(args: Forward, sites: u32, part: u32, parts: u32): void {
  const V = args.V;
  const end = firstItem(sites, part + 1, parts);
  for (let site = firstItem(sites, part, parts); site < end; site++) {
    const row = args.logits + 4 * site * V;
    const target = load<u32>(args.targets + 4 * site);
    const sums = args.sums + 16 * site;
    const softmax = args.sums ? softmaxOf(v128.load(sums)) : softmaxRow(row, V, 1);
    const logProb = args.sums ? load<f32>(sums + 12) - logSumOf(softmax) : logProbOf(softmax, row, target, 1);
    v128.store(args.stats + 32 * site, f32x4(logProb, entropyOf(softmax), -logProb, 0));
    v128.store(args.stats + 32 * site + 16, f32x4.splat(0));
    const weight = load<f32>(args.sites + 16 * site + 12);
    if (weight == 0) continue;
    if (args.slopes) v128.store(args.slopes + 16 * site, f32x4(logSumOf(softmax), entropyOf(softmax), -weight, 0));
    else addGradient(args.logitsGrad + 4 * site * V, row, V, 1, softmax, target, -weight, 0);
  }
}
