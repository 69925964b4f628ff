/** A transformer small enough for tests, with grouped-query attention and sizes that are no powers of two. */
import type { TransformerShape } from '../../src/model/transformer/shape';

export const tinyShape: TransformerShape = {
  vocabulary: 29,
  layers: 2,
  width: 32,
  heads: 4,
  kvHeads: 2,
  headSize: 8,
  mlp: 'swiglu',
  mlpWidth: 48,
  tied: true,
  qkvBias: false,
  normEpsilon: 1e-5,
  ropeBase: 100,
  ropeStyle: 'half',
};
