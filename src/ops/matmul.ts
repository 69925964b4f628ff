/** Matrix product with optional bias and residual: every linear layer. Its kernels are chosen in matmul-product.ts. */
import { assert } from '../lib/assert';
import type { Tape } from '../gpu/tape';
import { elementCount, type Tensor } from '../gpu/tensor';
import { linearGrid } from '../gpu/commands';
import { dispatchColumnSums, dispatchProduct } from './matmul-product';

export interface MatmulOptions {
  /** Names the output. */
  readonly name: string;
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** [N], added to every row. */
  readonly bias?: Tensor | null;
  /** [M, N]. */
  readonly residual?: Tensor | null;
  /**
   * How many of the M rows to compute in this replay, in the output and in the gradient of `a`; the others are
   * undefined. The gradients of `b` and `bias` still sum over all M rows: in the others the output's gradient must be 0
   * and `a` finite.
   */
  readonly rows?: () => number;
}

/**
 * out [M, N] = op(a) [M, K] · op(b) [K, N] (+ bias) (+ residual), where op transposes if asked to. A linear layer with
 * weights [out, in] is `transposeB`. Sums are in float32, k ascending.
 */
export function matmul(tape: Tape, a: Tensor, b: Tensor, options: MatmulOptions): Tensor {
  const { name, transposeA = false, transposeB = false, bias, residual, rows } = options;
  const describe = () =>
    `matmul ${name}: ${a.name} [${a.shape.join(', ')}]${transposeA ? 'ᵀ' : ''} by ${b.name} [${b.shape.join(', ')}]${transposeB ? 'ᵀ' : ''}`;
  assert(a.shape.length === 2 && b.shape.length === 2, () => `${describe()}: both must have two dimensions`);
  const [M, K] = transposeA ? [a.shape[1], a.shape[0]] : a.shape;
  const [N, inner] = transposeB ? b.shape : [b.shape[1], b.shape[0]];
  assert(K === inner, () => `${describe()}: the inner sizes ${K} and ${inner} differ`);
  assert(!bias || elementCount(bias.shape) === N, () => `${describe()}: bias ${bias!.name} must have ${N} numbers`);
  assert(
    !residual || residual.shape.join() === `${M},${N}`,
    () => `${describe()}: residual ${residual!.name} must be [${M}, ${N}]`,
  );
  assert(!rows || !transposeA, () => `${describe()}: \`rows\` needs an untransposed first operand`);

  const out = tape.activation(name, [M, N]);
  dispatchProduct(tape, { name, a, transposeA, b, transposeB, c: out, shape: [M, N, K], bias, residual, rows });
  tape.onBackward(() => {
    const dc = out.grad!;
    if (a.grad) {
      const product = { name: `${name}.da`, c: a.grad, accumulate: true };
      // da = dc · op(b)ᵀ, or its transpose op(b) · dcᵀ where a is stored transposed.
      if (transposeA)
        dispatchProduct(tape, { ...product, a: b, transposeA: transposeB, b: dc, transposeB: true, shape: [K, M, N] });
      else
        dispatchProduct(tape, {
          ...product,
          a: dc,
          transposeA: false,
          b,
          transposeB: !transposeB,
          shape: [M, K, N],
          rows,
        });
    }
    if (b.grad) {
      const product = { name: `${name}.db`, c: b.grad, accumulate: true };
      // db = op(a)ᵀ · dc, or its transpose dcᵀ · op(a) where b is stored transposed.
      if (transposeB)
        dispatchProduct(tape, { ...product, a: dc, transposeA: true, b: a, transposeB: transposeA, shape: [N, K, M] });
      else
        dispatchProduct(tape, { ...product, a, transposeA: !transposeA, b: dc, transposeB: false, shape: [K, N, M] });
    }
    if (bias?.grad) dispatchColumnSums(tape, `${name}.dbias`, dc, bias.grad);
    if (residual?.grad) {
      const SIZE = M * N;
      tape.dispatch('add', 'backward', { SIZE }, { dy: dc, grad: residual.grad }, linearGrid(Math.ceil(SIZE / 4)));
    }
  });
  return out;
}
