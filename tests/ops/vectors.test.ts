/** The reference vectors of kind `ops`, for the operations of a transformer that are not losses or the optimizer. */
import { describe, expect, test } from 'vitest';
import { attention } from '../../src/ops/attention';
import { embedding } from '../../src/ops/embedding';
import { matmul } from '../../src/ops/matmul';
import { gelu, swiglu } from '../../src/ops/mlp-activation';
import { rmsNorm } from '../../src/ops/rmsnorm';
import { rotary } from '../../src/ops/rotary';
import { alone } from '../helpers/ranges';
import { checkOp } from '../helpers/check-op';
import { vectorsOf, type VectorCase } from '../helpers/vectors';
import type { Array64 } from '../reference/array';

/** Operations whose vectors loss-vectors.test.ts runs. */
const elsewhere = ['token_log_prob', 'masked_cross_entropy', 'adamw'];

interface VectorTensor {
  readonly shape: readonly number[];
  readonly data: readonly number[];
}

/** Places the heads of several [B, T, heads, E] tensors side by side: [B*T, (sum of heads) E]. */
function fuse(...parts: readonly VectorTensor[]): Array64 {
  const rows = parts[0].shape[0] * parts[0].shape[1];
  const widths = parts.map(({ shape }) => shape[2] * shape[3]);
  const data = Array.from({ length: rows }, (_, n) =>
    parts.flatMap((part, i) => part.data.slice(n * widths[i], (n + 1) * widths[i])),
  );
  return { shape: [rows, widths.reduce((sum, width) => sum + width, 0)], data: Float64Array.from(data.flat()) };
}

function array({ shape, data }: VectorTensor): Array64 {
  return { shape, data: Float64Array.from(data) };
}

/** The same rows, seen as a matrix. */
function matrix({ shape, data }: VectorTensor): Array64 {
  return {
    shape: [shape.slice(0, -1).reduce((product, size) => product * size, 1), shape.at(-1)!],
    data: Float64Array.from(data),
  };
}

function zerosLike({ shape, data }: VectorTensor): VectorTensor {
  return { shape, data: data.map(() => 0) };
}

/** The half of each row that holds gate, then the half that holds up. */
function gateUpOf(gate: VectorTensor, up: VectorTensor): Array64 {
  const asHeads = (part: VectorTensor): VectorTensor => ({
    shape: [1, part.shape[0], 1, part.shape[1]],
    data: part.data,
  });
  return fuse(asHeads(gate), asHeads(up));
}

const checks: Record<string, (vector: VectorCase) => Promise<void>> = {
  linear: ({ inputs, upstream, expected }) =>
    checkOp({
      name: 'linear',
      inputs,
      build: (tape, { x, weight, bias }) => matmul(tape, x, weight, { name: 'linear', transposeB: true, bias }),
      upstream: upstream.data,
      reference: () => array(expected.output),
      gradients: () => ({
        x: array(expected.grad_x),
        weight: array(expected.grad_weight),
        bias: array(expected.grad_bias),
      }),
    }),

  rmsnorm: ({ inputs, params, upstream, expected }) =>
    checkOp({
      name: 'rmsnorm',
      inputs: { x: inputs.x, weight: inputs.weight },
      build: (tape, { x, weight }) => rmsNorm(tape, x, weight, params.eps),
      upstream: upstream.data,
      reference: () => matrix(expected.output),
      gradients: () => ({
        x: matrix(expected.grad_x),
        weight: array(expected.grad_weight),
      }),
    }),

  gelu_tanh: ({ inputs, upstream, expected }) =>
    checkOp({
      name: 'gelu_tanh',
      inputs: { x: inputs.x },
      build: (tape, { x }) => gelu(tape, x),
      upstream: upstream.data,
      reference: () => matrix(expected.output),
      gradients: () => ({ x: matrix(expected.grad_x) }),
    }),

  // silu(x) is swiglu with up = 1; the gradient of up is then dy * silu(x).
  silu: ({ inputs, upstream, expected }) =>
    checkOp({
      name: 'silu',
      inputs: { gateUp: gateUpOf(inputs.x, { shape: inputs.x.shape, data: inputs.x.data.map(() => 1) }) },
      build: (tape, { gateUp }) => swiglu(tape, gateUp),
      upstream: upstream.data,
      reference: () => matrix(expected.output),
      gradients: () => ({
        gateUp: gateUpOf(expected.grad_x, {
          shape: inputs.x.shape,
          data: expected.output.data.map((y: number, i: number) => y * upstream.data[i]),
        }),
      }),
    }),

  swiglu: ({ inputs, upstream, expected }) =>
    checkOp({
      name: 'swiglu',
      inputs: { gateUp: gateUpOf(inputs.gate, inputs.up) },
      build: (tape, { gateUp }) => swiglu(tape, gateUp),
      upstream: upstream.data,
      reference: () => matrix(expected.output),
      gradients: () => ({ gateUp: gateUpOf(expected.grad_gate, expected.grad_up) }),
    }),

  // The heads of x stand as queries and as keys; values must stay as they are.
  rope: ({ inputs, params, upstream, expected }) => {
    const [B, T, heads, headSize] = inputs.x.shape;
    const options = { heads, kvHeads: heads, headSize, ropeBase: params.base, ropeStyle: params.style };
    return checkOp({
      name: 'rope',
      inputs: {
        qkv: fuse(inputs.x, inputs.x, inputs.x),
        positions: { shape: [B * T], type: 'u32', data: inputs.positions.data },
      },
      build: (tape, { qkv, positions }) => rotary(tape, qkv, positions, options),
      upstream: fuse(upstream, upstream, zerosLike(upstream)).data,
      reference: () => fuse(expected.output, expected.output, inputs.x),
      gradients: () => ({ qkv: fuse(expected.grad_x, expected.grad_x, zerosLike(expected.grad_x)) }),
    });
  },

  attention: ({ inputs, upstream, expected }) => {
    const [B, T, heads, headSize] = inputs.q.shape;
    return checkOp({
      name: 'attention',
      inputs: {
        qkv: fuse(inputs.q, inputs.k, inputs.v),
        ranges: { shape: [B * T, 4], type: 'u32', data: alone(segmentsOf(inputs.key_ok)) },
      },
      build: (tape, { qkv, ranges }) => attention(tape, qkv, ranges, { heads, kvHeads: inputs.k.shape[2], headSize }),
      upstream: upstream.data,
      reference: () => fuse(expected.output),
      gradients: () => ({ qkv: fuse(expected.grad_q, expected.grad_k, expected.grad_v) }),
    });
  },

  embedding: ({ inputs, upstream, expected }) =>
    checkOp({
      name: 'embedding',
      inputs: {
        table: inputs.weight,
        tokens: { shape: [inputs.tokens.data.length], type: 'u32', data: inputs.tokens.data },
      },
      build: (tape, { table, tokens }) => embedding(tape, table, tokens),
      upstream: upstream.data,
      reference: () => matrix(expected.output),
      gradients: () => ({ table: matrix(expected.grad_weight) }),
    }),
};

/** Lengths: a left-padded row is one segment per padded token, which sees only itself, then one of the real tokens. */
function segmentsOf(keyOk: VectorTensor): number[] {
  const [B, T] = keyOk.shape;
  const lengths: number[] = [];
  for (let row = 0; row < B; row++) {
    const ok = keyOk.data.slice(row * T, (row + 1) * T);
    const padded = ok.includes(1) ? ok.indexOf(1) : T;
    if (ok.includes(0, padded))
      throw new Error(`row ${row}: key_ok [${ok.join()}] is not left padding, the only mask that segments express`);
    lengths.push(...new Array<number>(padded).fill(1));
    if (padded < T) lengths.push(T - padded);
  }
  return lengths;
}

const files = vectorsOf('ops');

for (const { path, cases } of files) {
  describe(path, () => {
    cases.forEach((vector, i) => {
      const { op = 'unnamed' } = vector;
      if (elsewhere.includes(op)) return;
      test(`case ${i}: ${op}`, () => {
        const check = checks[op];
        if (!check) throw new Error(`${path}: no test knows the operation "${op}"`);
        return check(vector);
      });
    });
  });
}

test('there are vectors', () => expect(files.flatMap(({ cases }) => cases).some(({ op }) => op! in checks)).toBe(true));
