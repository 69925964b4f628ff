/** Constants of `shaders/lib/element.wgsl`: kernels handle four numbers at once wherever their rows divide by four. */
export interface ElementConstants {
  readonly VEC4: 0 | 1;
  readonly SCALAR: 0 | 1;
}

/** How many numbers an Element holds for rows (or heads, or halves) of these widths. */
export function elementLanes(...widths: readonly number[]): 1 | 4 {
  return widths.every((width) => width % 4 === 0) ? 4 : 1;
}

export function elementConstants(lanes: 1 | 4): ElementConstants {
  return lanes === 4 ? { VEC4: 1, SCALAR: 0 } : { VEC4: 0, SCALAR: 1 };
}
