/** The bench's two model shapes, GPT-style (GELU, F = 4 D), with the batch they are timed on. */
import type { Network } from '../../model/model';
import { transformer } from '../../model/transformer/network';

export interface BenchModel {
  readonly network: Network;
  /** Rows (B) and positions (T) of a training step: 1,024 tokens. */
  readonly batch: number;
  readonly length: number;
}

const gpt = {
  mlp: 'gelu',
  tied: true,
  qkvBias: false,
  normEpsilon: 1e-5,
  ropeBase: 10000,
  ropeStyle: 'half',
} as const;

export const benchModels: Readonly<Record<'S' | 'M', BenchModel>> = {
  S: {
    network: transformer({
      ...gpt,
      vocabulary: 64,
      layers: 2,
      width: 64,
      heads: 4,
      kvHeads: 4,
      headSize: 16,
      mlpWidth: 256,
    }),
    batch: 16,
    length: 64,
  },
  M: {
    network: transformer({
      ...gpt,
      vocabulary: 256,
      layers: 4,
      width: 128,
      heads: 4,
      kvHeads: 4,
      headSize: 32,
      mlpWidth: 512,
    }),
    batch: 8,
    length: 128,
  },
};
