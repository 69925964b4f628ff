// y[n] = table[tokens[n]];   dtable[v] += sum of dy[n] over the n with tokens[n] = v, in the order of n.
// table, dtable: [V, D]; tokens: [N]; y, dy: [N, D]. A row has W Elements.
// forward: a thread an Element of y; `halves` is the same for a table of halves, two to a word, whose rows fill words.
// link: a thread a token v strings the places where it occurs into a list: first[V], next[N]; if BOUNDED, only places
// below `rows`. backward: a thread an Element of dtable walks that list.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> table: array<Element>;
@group(0) @binding(1) var<storage, read> tokens: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<Element>;
@group(0) @binding(3) var<storage, read_write> firstOut: array<u32>;
@group(0) @binding(4) var<storage, read_write> nextOut: array<u32>;
@group(0) @binding(5) var<storage, read> first: array<u32>;
@group(0) @binding(6) var<storage, read> next: array<u32>;
@group(0) @binding(7) var<storage, read> dy: array<Element>;
@group(0) @binding(8) var<storage, read_write> dtable: array<Element>;
@group(0) @binding(10) var<storage, read> words: array<u32>; // [V, D / 2], rounded up
#if BOUNDED
@group(0) @binding(9) var<uniform> rows: u32;
#end

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index < N * W) {
    y[index] = table[tokens[index / W] * W + index % W];
  }
}

@compute @workgroup_size(64)
fn halves(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * W) {
    return;
  }
  let row = tokens[index / W];
  let i = index % W;
#if VEC4
  let at = 2u * (row * W + i);
  y[index] = vec4f(unpack2x16float(words[at]), unpack2x16float(words[at + 1u]));
#end
#if SCALAR
  y[index] = unpack2x16float(words[row * ((W + 1u) / 2u) + i / 2u])[i % 2u];
#end
}

// A list ends with N.
@compute @workgroup_size(64)
fn link(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let v = linearIndex(id, groups);
  if (v >= V) {
    return;
  }
  var later: u32 = N;
  var places: u32 = N;
#if BOUNDED
  places = rows;
#end
  for (var n = places; n > 0; n--) {
    if (tokens[n - 1] == v) {
      nextOut[n - 1] = later;
      later = n - 1;
    }
  }
  firstOut[v] = later;
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= V * W) {
    return;
  }
  var sum = Element(0);
  for (var n = first[index / W]; n < N; n = next[n]) {
    sum += dy[n * W + index % W];
  }
  dtable[index] += sum;
}
