import type { Constants } from '../gpu/wgsl';

/** Constants of `shaders/lib/element.wgsl`: kernels handle four numbers at once wherever their rows divide by four. */
/** How many numbers an Element holds for rows (or heads, or halves) of these widths. */
export function elementLanes(...widths: readonly number[]): 1 | 4 {
  return widths.every((width) => width % 4 === 0) ? 4 : 1;
}

export function elementConstants(lanes: 1 | 4): Constants {
  return { VEC4: lanes === 4, SCALAR: lanes === 1 };
}
