/**
 * The layouts of products that matmul.test.ts leaves out: they take the same tiles, in kernels compiled for other
 * sizes.
 */
import { describe, test } from 'vitest';
import { onWebGpu } from '../helpers/devices';
import {
  aligned,
  check,
  expectSameBits,
  fully,
  layoutName,
  layouts,
  sameBits,
  use,
  usual,
  variants,
} from '../helpers/matmul';

const rest = layouts.filter((layout) => layout !== usual);

onWebGpu(() => {
  describe('matmul against float64: output and gradients', () => {
    for (const variant of variants) {
      for (const size of aligned.filter((each) => !fully.includes(each))) {
        for (const layout of rest) {
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
    for (const size of sameBits.filter((each) => !fully.includes(each))) {
      for (const layout of rest) test(`${size.join('x')} ${layoutName(layout)}`, () => expectSameBits(size, layout));
    }
  });
});
