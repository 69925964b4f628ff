/** Panels [k][8] of the matrix product on the CPU. A matrix holds numbers of type T: f32, or u16 for halves. */
import { floatAt, floatsAt } from './halves';
import { storeTransposed } from './transpose';

/**
 * Four lanes of a panel, `step` bytes apart, with their k `deep` bytes apart. There are lanes up to `last`; it stands
 * for those behind it.
 */
export function packLanes<T>(x: usize, step: usize, deep: usize, last: u32, count: u32, panel: usize): void {
  let x0 = x;
  let x1 = x + min(1, last) * step;
  let x2 = x + min(2, last) * step;
  let x3 = x + min(3, last) * step;
  let k: u32 = 0;
  if (deep == sizeof<T>()) {
    for (; k + 4 <= count; k += 4) {
      storeTransposed(four<T>(x0), four<T>(x1), four<T>(x2), four<T>(x3), panel, 32);
      x0 += 4 * sizeof<T>();
      x1 += 4 * sizeof<T>();
      x2 += 4 * sizeof<T>();
      x3 += 4 * sizeof<T>();
      panel += 128;
    }
  } else if (last >= 3) {
    for (; k < count; k++) {
      v128.store(panel, four<T>(x0));
      x0 += deep;
      panel += 32;
    }
  }
  for (; k < count; k++) {
    store<f32>(panel, one<T>(x0));
    store<f32>(panel, one<T>(x1), 4);
    store<f32>(panel, one<T>(x2), 8);
    store<f32>(panel, one<T>(x3), 12);
    x0 += deep;
    x1 += deep;
    x2 += deep;
    x3 += deep;
    panel += 32;
  }
}

@inline
function four<T>(at: usize): v128 {
  return sizeof<T>() == 4 ? v128.load(at) : floatsAt(at);
}

@inline
function one<T>(at: usize): f32 {
  return sizeof<T>() == 4 ? load<f32>(at) : floatAt(at);
}
