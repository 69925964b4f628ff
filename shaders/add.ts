/** The backward of a residual on the CPU; see add.wgsl. */
import { firstItem } from './lib/parts';

@unmanaged
class Backward {
  dy: usize;
  grad: usize;
}

export function backward(args: Backward, elements: u32, part: u32, parts: u32): void {
  const last = firstItem(elements, part + 1, parts);
  const dy = args.dy;
  const grad = args.grad;
  let i = firstItem(elements, part, parts);
  for (; i + 4 <= last; i += 4) v128.store(grad + 4 * i, f32x4.add(v128.load(grad + 4 * i), v128.load(dy + 4 * i)));
  for (; i < last; i++) store<f32>(grad + 4 * i, load<f32>(grad + 4 * i) + load<f32>(dy + 4 * i));
}
