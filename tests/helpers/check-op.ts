/**
 * Checks an op on both devices against a float64 reference: its output, the gradient of every input, that gradients
 * are added to what is there, and that a replay gives the same bits. Call it inside a `test`. It knows no particular op
 * and has no tolerance per op: an op that needs a wider one says so at the call.
 */
import { Commands, readTensor } from '../../src/device/commands';
import type { Device } from '../../src/device/device';
import { Tape } from '../../src/device/tape';
import { createTensor, elementCount, writeTensor, type ElementType, type Tensor } from '../../src/device/tensor';
import { packHalfRows, unpackHalves } from '../../src/lib/half';
import { normal, Purpose } from '../../src/lib/rng';
import type { Array64 } from '../reference/array';
import { testDevices } from './devices';

export interface OpInput {
  readonly shape: readonly number[];
  /** Standard normal numbers by default; must be given for u32. */
  readonly data?: ArrayLike<number>;
  readonly type?: ElementType;
  /** A frozen input has no gradient, and none is checked. Integers and halves are always frozen. */
  readonly frozen?: boolean;
}

export interface OpCheck<Name extends string> {
  /** For the message of a failure. */
  readonly name: string;
  readonly inputs: Readonly<Record<Name, OpInput>>;
  /**
   * Calls the op on a training tape. An output without a gradient, or one that is an input (an op in place), is fine.
   */
  readonly build: (tape: Tape, inputs: Record<Name, Tensor>) => Tensor;
  readonly reference: (inputs: Record<Name, Array64>) => Array64;
  /**
   * Gradients of sum(output * upstream). Without it they are central differences of `reference`: keep the shapes small
   * then.
   */
  readonly gradients?: (inputs: Record<Name, Array64>, upstream: Array64) => Partial<Record<Name, Array64>>;
  /** The gradient that arrives at the output; deterministic normal numbers by default. */
  readonly upstream?: ArrayLike<number>;
}

/** A number passes if it is off by at most absolute + relative * |expected|. */
export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

export interface CheckOptions {
  readonly output?: Tolerance;
  readonly gradient?: Tolerance;
}

const outputTolerance: Tolerance = { absolute: 2e-5, relative: 2e-5 };
const gradientTolerance: Tolerance = { absolute: 1e-4, relative: 1e-4 };

export async function checkOp<Name extends string>(check: OpCheck<Name>, options: CheckOptions = {}): Promise<void> {
  for (const device of await testDevices()) {
    const name = `${check.name} (${device.adapter.name})`;
    await checkOn(device, { ...check, name }, options);
  }
}

async function checkOn<Name extends string>(
  device: Device,
  check: OpCheck<Name>,
  options: CheckOptions,
): Promise<void> {
  const names = Object.keys(check.inputs) as Name[];
  const values = {} as Record<Name, Array64>;
  const tensors = {} as Record<Name, Tensor>;
  names.forEach((name, key) => {
    values[name] = valuesOf(name, check.inputs[name], key);
    tensors[name] = tensorOf(device, name, check.inputs[name]);
  });
  const tape = new Tape(device, true);
  const output = check.build(tape, tensors);
  const plan = tape.seal();
  await device.compiled();
  const expected = check.reference(values);
  expectShape(`${check.name}: output`, output.shape, expected.shape);
  const upstream = {
    shape: expected.shape,
    data: check.upstream ? Float64Array.from(check.upstream) : normals(elementCount(expected.shape), 1000),
  };

  const replay = async () => {
    names.forEach((name) => write(device, tensors[name], values[name].data));
    new Commands(device).clear(plan.gradients).submit();
    if (output.grad) write(device, output.grad, upstream.data);
    new Commands(device).run(plan.forward).submit();
    const forward = await readTensor(device, output);
    new Commands(device).run(plan.backward).submit();
    return { forward, gradients: await readGradients(device, tensors) };
  };

  const first = await replay();
  expectClose(`${check.name}: output`, first.forward, expected.data, options.output ?? outputTolerance);
  if (output.grad) {
    const wanted: Partial<Record<Name, Array64>> = check.gradients?.(values, upstream) ?? {};
    const inPlace = names.some((name) => tensors[name] === output);
    const second = await replay();
    new Commands(device).clear(names.flatMap((name) => tensors[name].grad ?? [])).submit();
    const third = await replay();
    for (const name of names.filter((each) => tensors[each].grad)) {
      const gradient = wanted[name] ?? centralDifference(check.reference, values, name, upstream);
      const tolerance = options.gradient ?? gradientTolerance;
      const label = `${check.name}: gradient of ${name}`;
      expectClose(label, first.gradients[name]!, gradient.data, tolerance);
      // An op in place turns the output's gradient into the input's, so there is nothing to add to.
      if (!inPlace)
        expectClose(
          `${label}, backward run twice`,
          second.gradients[name]!,
          gradient.data.map((g) => 2 * g),
          tolerance,
        );
      expectSame(`${label}, replayed`, third.gradients[name]!, first.gradients[name]!);
    }
  }
  if (device.uncapturedError) throw new Error(`${check.name}: ${device.uncapturedError}`);
  plan.destroy();
  for (const name of names) [tensors[name], tensors[name].grad].forEach((tensor) => tensor?.buffer.destroy());
}

/** Fails, naming the worst element, unless every number is finite and within the tolerance. */
export function expectClose(
  label: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  { absolute, relative }: Tolerance,
): void {
  if (got.length !== expected.length) throw new Error(`${label}: ${got.length} numbers, expected ${expected.length}`);
  let worst = { excess: 0, index: -1 };
  for (let i = 0; i < got.length; i++) {
    const error = Math.abs(got[i] - expected[i]) - absolute - relative * Math.abs(expected[i]);
    const excess = Number.isFinite(error) ? error : Infinity;
    if (excess > worst.excess) worst = { excess, index: i };
  }
  const { index } = worst;
  if (index >= 0)
    throw new Error(
      `${label}: element ${index} of ${got.length} is ${got[index]}, expected ${expected[index]} (± ` +
        `${absolute} + ${relative} of it)`,
    );
}

function expectSame(label: string, got: ArrayLike<number>, expected: ArrayLike<number>): void {
  for (let i = 0; i < expected.length; i++) {
    if (!Object.is(got[i], expected[i]))
      throw new Error(`${label}: element ${i} is ${got[i]}, the run before gave ${expected[i]}`);
  }
}

function expectShape(label: string, got: readonly number[], expected: readonly number[]): void {
  if (got.join() !== expected.join())
    throw new Error(`${label} has shape [${got.join(', ')}], expected [${expected.join(', ')}]`);
}

function valuesOf(name: string, input: OpInput, key: number): Array64 {
  const count = elementCount(input.shape);
  if (!input.data && input.type === 'u32') throw new Error(`input ${name} holds integers: give its data`);
  const data = input.data
    ? Float64Array.from(input.data, (value) => (input.type === 'u32' ? value : Math.fround(value)))
    : normals(count, key);
  if (data.length !== count)
    throw new Error(`input ${name} has ${data.length} numbers for shape [${input.shape.join(', ')}]`);
  if (input.type === 'f16') return { shape: input.shape, data: asHalves(data) };
  return { shape: input.shape, data };
}

function asHalves(numbers: Float64Array): Float64Array {
  return Float64Array.from(
    unpackHalves(packHalfRows(Float32Array.from(numbers), numbers.length)).subarray(0, numbers.length),
  );
}

function tensorOf(device: Device, name: string, input: OpInput): Tensor {
  const type = input.type ?? 'f32';
  return createTensor(device, name, input.shape, { type, gradient: type === 'f32' && !input.frozen });
}

/** Standard normal numbers that are exact in float32. */
function normals(count: number, key: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => Math.fround(normal(7, Purpose.init, key, i)));
}

function write(device: Device, tensor: Tensor, data: Float64Array): void {
  const numbers = Float32Array.from(data);
  const words = () => (tensor.type === 'f16' ? packHalfRows(numbers, tensor.shape.at(-1)!) : Uint32Array.from(data));
  writeTensor(device, tensor, tensor.type === 'f32' ? numbers : words());
}

async function readGradients<Name extends string>(
  device: Device,
  tensors: Record<Name, Tensor>,
): Promise<Partial<Record<Name, Float32Array>>> {
  const gradients: Partial<Record<Name, Float32Array>> = {};
  for (const name of Object.keys(tensors) as Name[]) {
    const { grad } = tensors[name];
    if (grad) gradients[name] = await readTensor(device, grad);
  }
  return gradients;
}

/** d sum(reference * upstream) / d input, by (f(x + h) - f(x - h)) / 2h in float64. */
function centralDifference<Name extends string>(
  reference: OpCheck<Name>['reference'],
  values: Record<Name, Array64>,
  name: Name,
  upstream: Array64,
): Array64 {
  const step = 1e-5;
  const { shape, data } = values[name];
  const at = (i: number, value: number) => {
    const moved = data.slice();
    moved[i] = value;
    return reference({ ...values, [name]: { shape, data: moved } }).data.reduce(
      (sum, y, k) => sum + y * upstream.data[k],
      0,
    );
  };
  return { shape, data: data.map((x, i) => (at(i, x + step) - at(i, x - step)) / (2 * step)) };
}
