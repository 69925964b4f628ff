/** Numbers of a row of W Elements, which are of four numbers each or of one; see `elementConstants`. */
@inline
export function widthOf(w: u32, vec4: u32): u32 {
  return w * (1 + 3 * vec4);
}
