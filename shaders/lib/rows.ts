/** to += from, rows of `bytes`. */
@inline
export function addRow(to: usize, from: usize, bytes: u32): void {
  let c: u32 = 0;
  for (; c + 16 <= bytes; c += 16) v128.store(to + c, f32x4.add(v128.load(to + c), v128.load(from + c)));
  for (; c < bytes; c += 4) store<f32>(to + c, load<f32>(to + c) + load<f32>(from + c));
}
