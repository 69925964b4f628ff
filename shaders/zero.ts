/** Clears a tensor within a replay on the CPU; see zero.wgsl. */
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  x: usize;
}

export function forward(args: Forward, elements: u32, part: u32, parts: u32): void {
  const first = firstItem(elements, part, parts);
  memory.fill(args.x + 4 * first, 0, 4 * (firstItem(elements, part + 1, parts) - first));
}
