// AdamW for the whole model at once, after clipping by the global norm (Loshchilov & Hutter, arXiv:1711.05101,
// algorithm 2).
//   norm = ‖g‖;  g ← g · min(1, clip / (norm + 1e-6));  m ← β₁ m + (1−β₁) g;  v ← β₂ v + (1−β₂) g²
//   p ← p (1 − rate · weightDecay) − rate · (m / (1−β₁ᵗ)) / (√(v / (1−β₂ᵗ)) + ε);  g ← 0
// value, gradient, first, second [SIZE]; elements before DECAYED decay. partial [LANES].
// state: running products β₁ᵗ and β₂ᵗ, norm, scale (0 skips the update), counts of applied and skipped updates.
// veto [1]: not 0 skips this update and is cleared by it. An update is also skipped if the norm is not finite; `norm`
// keeps the last that was. `partialNorm` LANES threads, one strided sum each; `prepare` one workgroup; `update` one
// thread an element.
@group(0) @binding(0) var<storage, read_write> value: array<f32>;
@group(0) @binding(1) var<storage, read_write> gradient: array<f32>;
@group(0) @binding(2) var<storage, read_write> first: array<f32>;
@group(0) @binding(3) var<storage, read_write> second: array<f32>;
@group(0) @binding(4) var<storage, read_write> partial: array<f32>;
@group(0) @binding(5) var<storage, read_write> state: State;
@group(0) @binding(6) var<uniform> settings: Settings;
@group(0) @binding(7) var<storage, read_write> veto: array<f32>;

struct Settings {
  rate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  weightDecay: f32,
  clip: f32,
}

struct State {
  beta1Power: f32,
  beta2Power: f32,
  norm: f32,
  scale: f32,
  applied: f32,
  skipped: f32,
}

var<workgroup> sums: array<f32, 64>;

@compute @workgroup_size(64)
fn partialNorm(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = id.x; i < SIZE; i += LANES) { sum = fma(gradient[i], gradient[i], sum); }
  partial[id.x] = sum;
}

#include "lib/finite"

@compute @workgroup_size(64)
fn prepare(@builtin(local_invocation_id) local: vec3u) {
  var sum = 0.0;
  for (var i = local.x; i < LANES; i += 64) { sum += partial[i]; }
  sums[local.x] = sum;
  workgroupBarrier();
  if (local.x != 0) { return; }
  for (var i = 1u; i < 64; i++) { sum += sums[i]; }
  let broken = !isFinite(vec4f(sum)) || veto[0] != 0.0;
  veto[0] = 0.0;
  if (broken) {
    state.scale = 0.0;
    state.skipped += 1.0;
    return;
  }
  state.norm = sqrt(sum);
  state.beta1Power = select(state.beta1Power, 1.0, state.applied == 0.0) * settings.beta1;
  state.beta2Power = select(state.beta2Power, 1.0, state.applied == 0.0) * settings.beta2;
  state.scale = min(1.0, settings.clip / (sqrt(sum) + 1e-6));
  state.applied += 1.0;
}

#include "lib/grid"

@compute @workgroup_size(64)
fn update(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups);
  if (i >= SIZE) { return; }
  let g = gradient[i] * state.scale;
  gradient[i] = 0.0;
  if (state.scale == 0.0) { return; }
  let m = settings.beta1 * first[i] + (1.0 - settings.beta1) * g;
  let v = settings.beta2 * second[i] + (1.0 - settings.beta2) * g * g;
  first[i] = m;
  second[i] = v;
  let decay = select(0.0, settings.weightDecay, i < DECAYED);
  let step = (m / (1.0 - state.beta1Power)) / (sqrt(v / (1.0 - state.beta2Power)) + settings.epsilon);
  value[i] = value[i] * (1.0 - settings.rate * decay) - settings.rate * step;
}
