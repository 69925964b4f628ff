/** AdamW on the CPU; the formulas stand in adamw.wgsl. SIZE, DECAYED and LANES are multiples of 4. */
import { isFinite4 } from './lib/finite';
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';

@unmanaged
class Settings {
  rate: f32;
  beta1: f32;
  beta2: f32;
  epsilon: f32;
  weightDecay: f32;
  clip: f32;
}

@unmanaged
class State {
  beta1Power: f32;
  beta2Power: f32;
  norm: f32;
  scale: f32;
  applied: f32;
  skipped: f32;
}

@unmanaged
class PartialNorm {
  gradient: usize;
  partial: usize;
  SIZE: u32;
  LANES: u32;
}

/** Reads the gradient in the order of memory: LANES numbers, then the next LANES. */
export function partialNorm(args: PartialNorm, lanes: u32, part: u32, parts: u32): void {
  const first = firstItem(lanes / 4, part, parts) * 4;
  const end = firstItem(lanes / 4, part + 1, parts) * 4;
  memory.fill(args.partial + 4 * first, 0, 4 * (end - first));
  for (let start: u32 = 0; start < args.SIZE; start += args.LANES) {
    const to = min(start + end, args.SIZE);
    for (let i = start + first, lane = first; i < to; i += 4, lane += 4) {
      const g = v128.load(args.gradient + 4 * i);
      const sum = args.partial + 4 * lane;
      v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(g, g)));
    }
  }
}

@unmanaged
class Prepare {
  partial: usize;
  state: usize;
  settings: usize;
  veto: usize;
  LANES: u32;
}

export function prepare(args: Prepare, _items: u32, part: u32, _parts: u32): void {
  if (part != 0) return;
  const state = changetype<State>(args.state);
  const settings = changetype<Settings>(args.settings);
  let sums = f32x4.splat(0);
  for (let i: u32 = 0; i < args.LANES; i += 4) sums = f32x4.add(sums, v128.load(args.partial + 4 * i));
  const sum = sum4(sums);
  const broken = !isFinite4(f32x4.splat(sum)) || load<f32>(args.veto) != 0;
  store<f32>(args.veto, 0);
  if (broken) {
    state.scale = 0;
    state.skipped += 1;
    return;
  }
  const isFirst = state.applied == 0;
  state.norm = sqrt<f32>(sum);
  state.beta1Power = (isFirst ? 1 : state.beta1Power) * settings.beta1;
  state.beta2Power = (isFirst ? 1 : state.beta2Power) * settings.beta2;
  state.scale = min<f32>(1, settings.clip / (state.norm + 1e-6));
  state.applied += 1;
}

@unmanaged
class Update {
  value: usize;
  gradient: usize;
  first: usize;
  second: usize;
  state: usize;
  settings: usize;
  DECAYED: u32;
}

export function update(args: Update, size: u32, part: u32, parts: u32): void {
  const settings = changetype<Settings>(args.settings);
  const first = firstItem(size / 4, part, parts) * 4;
  const end = firstItem(size / 4, part + 1, parts) * 4;
  if (changetype<State>(args.state).scale == 0) {
    memory.fill(args.gradient + 4 * first, 0, 4 * (end - first));
    return;
  }
  const middle = min(max(first, args.DECAYED), end);
  updateRange(args, first, middle, 1 - settings.rate * settings.weightDecay);
  updateRange(args, middle, end, 1);
}

/** A moment without gradient shrinks for ever and would become subnormal, which is a hundred times slower: so 0. */
@inline
function flushed(moment: v128): v128 {
  return v128.andnot(moment, f32x4.lt(f32x4.abs(moment), f32x4.splat(1e-30)));
}

/** @param kept what weight decay leaves of a number */
function updateRange(args: Update, start: u32, end: u32, kept: f32): void {
  const state = changetype<State>(args.state);
  const settings = changetype<Settings>(args.settings);
  const scale = f32x4.splat(state.scale);
  const beta1 = f32x4.splat(settings.beta1);
  const beta2 = f32x4.splat(settings.beta2);
  const rest1 = f32x4.splat(1 - settings.beta1);
  const rest2 = f32x4.splat(1 - settings.beta2);
  const rate = f32x4.splat(settings.rate / (1 - state.beta1Power));
  const correction = f32x4.splat(1 / (1 - state.beta2Power));
  const epsilon = f32x4.splat(settings.epsilon);
  const kept4 = f32x4.splat(kept);
  const value = args.value;
  const gradient = args.gradient;
  const first = args.first;
  const second = args.second;
  for (let i = start * 4; i < end * 4; i += 16) {
    const g = f32x4.mul(v128.load(gradient + i), scale);
    const m = flushed(f32x4.add(f32x4.mul(beta1, v128.load(first + i)), f32x4.mul(rest1, g)));
    const v = flushed(f32x4.add(f32x4.mul(beta2, v128.load(second + i)), f32x4.mul(f32x4.mul(rest2, g), g)));
    v128.store(gradient + i, f32x4.splat(0));
    v128.store(first + i, m);
    v128.store(second + i, v);
    const step = f32x4.div(f32x4.mul(rate, m), f32x4.add(f32x4.sqrt(f32x4.mul(v, correction)), epsilon));
    v128.store(value + i, f32x4.sub(f32x4.mul(v128.load(value + i), kept4), step));
  }
}
