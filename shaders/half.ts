/** Half precision on the CPU; see half.wgsl. Exact for all finite halves. SIZE is a multiple of 4. */
import { floatsAt } from './lib/halves';
import { firstItem } from './lib/parts';

@unmanaged
class Unpack {
  packed: usize;
  value: usize;
}

export function unpack(args: Unpack, words: u32, part: u32, parts: u32): void {
  const end = firstItem(words / 2, part + 1, parts);
  for (let i = firstItem(words / 2, part, parts); i < end; i++) {
    v128.store(args.value + 16 * i, floatsAt(args.packed + 8 * i));
  }
}
