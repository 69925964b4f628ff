/**
 * Rows of W Elements, of four numbers each where four divides the row (VEC4), else of one: see `elementConstants`. A
 * kernel takes an Element as its type T, v128 or f32; an f32 stands in the first lane and the others are 0.
 */

/** Numbers of a row. */
@inline
export function widthOf(w: u32, vec4: u32): u32 {
  return w * (1 + 3 * vec4);
}

@inline
export function loadElement<T>(at: usize): v128 {
  return sizeof<T>() == 16 ? v128.load(at) : v128.load32_zero(at);
}

@inline
export function storeElement<T>(at: usize, value: v128): void {
  if (sizeof<T>() == 16) v128.store(at, value);
  else v128.store_lane<f32>(at, value, 0);
}
