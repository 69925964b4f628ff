/**
 * The products that matmul.test.ts leaves out: they take the same tiles, in kernels compiled for other sizes.
 */
import { describe, test } from 'vitest';
import { onWebGpu } from '../helpers/devices';
import {
  aligned,
  check,
  expectSameBits,
  isQuick,
  layoutName,
  layouts,
  sameBits,
  use,
  variants,
} from '../helpers/matmul';

onWebGpu(() => {
  describe('matmul against float64: output and gradients', () => {
    for (const variant of variants) {
      for (const size of aligned) {
        for (const layout of layouts.filter((each) => !isQuick(size, each))) {
          test(`${variant} ${size.join('x')} ${layoutName(layout)}`, async () => {
            await use(variant);
            await check({ size, layout });
            await check({ size, layout, bias: true, residual: true });
          });
        }
      }
    }
  });

  describe('variants give the same bits', () => {
    for (const size of sameBits) {
      for (const layout of layouts.filter((each) => !isQuick(size, each)))
        test(`${size.join('x')} ${layoutName(layout)}`, () => expectSameBits(size, layout));
    }
  });
});
