/** The shape of a decoder-only transformer and the parameters it has. Knows no device. */
import type { ModelPart, ParameterSpec } from '../parameters';

export interface TransformerShape {
  /** V */
  readonly vocabulary: number;
  /** L */
  readonly layers: number;
  /** D */
  readonly width: number;
  /** H */
  readonly heads: number;
  /** Hk */
  readonly kvHeads: number;
  /** E */
  readonly headSize: number;
  readonly mlp: 'swiglu' | 'gelu';
  /** F */
  readonly mlpWidth: number;
  /** The output head shares the token embedding. */
  readonly tied: boolean;
  readonly qkvBias: boolean;
  readonly normEpsilon: number;
  readonly ropeBase: number;
  readonly ropeStyle: 'half' | 'interleaved';
  /** Numbers of an image's patch; not given: the model sees no images. */
  readonly patchLength?: number;
}

/** All parameters in the order in which initial weights are drawn. A linear layer is y = x Wᵀ + b with W [out, in]. */
export function parameterSpecs(shape: TransformerShape): ParameterSpec[] {
  const { vocabulary: V, layers: L, width: D, heads: H, kvHeads: Hk, headSize: E, mlpWidth: F } = shape;
  const specs: ParameterSpec[] = [];
  const matrix = (name: string, out: number, into: number, scale = 1) =>
    specs.push({ name, part: partOf(name), shape: [out, into], init: { std: scale / Math.sqrt(into) } });
  const vector = (name: string, size: number, constant: number) =>
    specs.push({ name, part: partOf(name), shape: [size], init: { constant } });
  // Both residual writes of a block are scaled down, so that the stream's variance does not grow with depth (GPT-2).
  const residual = 1 / Math.sqrt(2 * L);
  matrix('tok_emb', V, D);
  for (let i = 0; i < L; i++) {
    const block = `blocks.${i}.`;
    vector(`${block}attn_norm`, D, 1);
    matrix(`${block}wqkv`, (H + 2 * Hk) * E, D);
    if (shape.qkvBias) vector(`${block}bqkv`, (H + 2 * Hk) * E, 0);
    matrix(`${block}wo`, D, H * E, residual);
    vector(`${block}mlp_norm`, D, 1);
    if (shape.mlp === 'swiglu') {
      matrix(`${block}w_gate_up`, 2 * F, D);
      matrix(`${block}w_down`, D, F, residual);
    } else {
      matrix(`${block}w_in`, F, D);
      vector(`${block}b_in`, F, 0);
      matrix(`${block}w_out`, D, F, residual);
      vector(`${block}b_out`, D, 0);
    }
  }
  vector('final_norm', D, 1);
  if (!shape.tied) matrix('lm_head', V, D);
  if (shape.patchLength !== undefined) {
    matrix('patch.weight', D, shape.patchLength);
    vector('patch.bias', D, 0);
  }
  return specs;
}

function partOf(name: string): ModelPart {
  if (name === 'tok_emb' || name.startsWith('patch.')) return 'embedding';
  if (name.endsWith('norm')) return 'norms';
  if (name.startsWith('blocks.')) return /\.(wqkv|bqkv|wo)$/.test(name) ? 'attention' : 'mlp';
  return 'head';
}
