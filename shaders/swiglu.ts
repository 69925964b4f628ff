/** SwiGLU on the CPU; the formulas stand in swiglu.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { sigmoid4 } from './lib/math';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  x: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    if (args.VEC4) forwardRow<v128>(args, n);
    else forwardRow<f32>(args, n);
  }
}

function forwardRow<T>(args: Forward, n: u32): void {
  const bytes = args.W * sizeof<T>();
  const gates = args.x + n * 2 * bytes;
  const y = args.y + n * bytes;
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const gate = loadElement<T>(gates + c);
    const up = loadElement<T>(gates + bytes + c);
    storeElement<T>(y + c, f32x4.mul(f32x4.mul(gate, sigmoid4(gate)), up));
  }
}

@unmanaged
class Backward {
  x: usize;
  dy: usize;
  dx: usize;
  W: u32;
  VEC4: u32;
}

export function backward(args: Backward, rows: u32, part: u32, parts: u32): void {
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    if (args.VEC4) backwardRow<v128>(args, n);
    else backwardRow<f32>(args, n);
  }
}

function backwardRow<T>(args: Backward, n: u32): void {
  const bytes = args.W * sizeof<T>();
  const gates = args.x + n * 2 * bytes;
  const slopes = args.dx + n * 2 * bytes;
  const dy = args.dy + n * bytes;
  const one = f32x4.splat(1);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const gate = loadElement<T>(gates + c);
    const up = loadElement<T>(gates + bytes + c);
    const slope = loadElement<T>(dy + c);
    const s = sigmoid4(gate);
    const inner = f32x4.add(one, f32x4.mul(gate, f32x4.sub(one, s)));
    const dgate = f32x4.mul(f32x4.mul(f32x4.mul(slope, up), s), inner);
    const dup = f32x4.mul(f32x4.mul(slope, gate), s);
    storeElement<T>(slopes + c, f32x4.add(loadElement<T>(slopes + c), dgate));
    storeElement<T>(slopes + bytes + c, f32x4.add(loadElement<T>(slopes + bytes + c), dup));
  }
}
