/** Matrix product with optional bias and residual: every linear layer. Its kernels are chosen in matmul-product.ts. */
import { assert } from '../lib/assert';
import type { Tape } from '../device/tape';
import { elementCount, type Tensor } from '../device/tensor';
import { linearGrid } from '../device/commands';
import { dispatchColumnSums, dispatchProduct, sizeOf, transpose, type Operand } from './matmul-product';
import type { Rows } from './rows';

export interface MatmulOptions {
  /** Names the output. */
  readonly name: string;
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** [N], added to every row. */
  readonly bias?: Tensor;
  /** [M, N]. */
  readonly residual?: Tensor;
  /**
   * How many of the M rows to compute in this replay, in the output and in the gradients of `a` and `residual`; the
   * others are undefined. The gradients of `b` and `bias` sum over up to 3 rows more, or over all: in those the
   * output's gradient must be 0 and `a` finite.
   */
  readonly rows?: Rows;
}

/**
 * c [M, N] = op(a) [M, K] · op(b) [K, N] (+ bias) (+ residual), where op transposes if asked to. A linear layer with
 * weights [out, in] is `transposeB`. Sums are in float32, k ascending. `b` may hold halves, which are exact in float32.
 */
export function matmul(tape: Tape, a: Tensor, b: Tensor, options: MatmulOptions): Tensor {
  const { name, transposeA = false, transposeB = false, bias, residual, rows } = options;
  const opA = { tensor: a, transposed: transposeA };
  const opB = { tensor: b, transposed: transposeB };
  const describe = () => `matmul ${name}: ${operandText(opA)} by ${operandText(opB)}`;
  assert(a.shape.length === 2 && b.shape.length === 2, () => `${describe()}: both must have two dimensions`);
  const [M, K] = sizeOf(opA);
  const [inner, N] = sizeOf(opB);
  assert(K === inner, () => `${describe()}: the inner sizes ${K} and ${inner} differ`);
  assert(!bias || elementCount(bias.shape) === N, () => `${describe()}: bias ${bias!.name} must have ${N} numbers`);
  assert(
    !residual || residual.shape.join() === `${M},${N}`,
    () => `${describe()}: residual ${residual!.name} must be [${M}, ${N}]`,
  );
  assert(
    a.type === 'f32' && !(b.type === 'f16' && transposeA),
    () => `${describe()}: only b may hold halves, by a as it is`,
  );
  assert(!rows || !transposeA, () => `${describe()}: \`rows\` needs an untransposed first operand`);

  const c = tape.activation(name, [M, N]);
  dispatchProduct(tape, { name, a: opA, b: opB, c, bias, residual, rows });
  tape.onBackward(() => {
    const dc = { tensor: c.grad!, transposed: false };
    const accumulate = true;
    // da = dc · op(b)ᵀ and db = op(a)ᵀ · dc, each transposed if the operand is.
    if (a.grad) {
      const [x, y] = transposeA ? [opB, transpose(dc)] : [dc, transpose(opB)];
      dispatchProduct(tape, { name: `${name}.da`, a: x, b: y, c: a.grad, accumulate, rows });
    }
    if (b.grad) {
      const [x, y] = transposeB ? [transpose(dc), opA] : [transpose(opA), dc];
      dispatchProduct(tape, { name: `${name}.db`, a: x, b: y, c: b.grad, accumulate, ofWeights: true, depth: rows });
    }
    if (bias?.grad) dispatchColumnSums(tape, `${name}.dbias`, c.grad!, bias.grad);
    if (residual?.grad) {
      const grid = () => {
        const count = (rows?.count ?? M) * N;
        return linearGrid(Math.ceil(count / 4), count);
      };
      tape.dispatch('add', 'backward', { SIZE: M * N }, { dy: c.grad!, grad: residual.grad }, grid);
    }
  });
  return c;
}

function operandText({ tensor: { name, shape }, transposed }: Operand): string {
  return `${name} [${shape.join(', ')}]${transposed ? 'ᵀ' : ''}`;
}
