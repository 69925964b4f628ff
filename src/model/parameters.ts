/**
 * The parameters of a model. Those that are trained are in four flat buffers: values, gradients and both AdamW moments.
 * A parameter is a view, aligned to 256 bytes, so the optimizer needs one dispatch for the whole model. Frozen ones
 * have a buffer each, so that none is too large to bind, and neither gradient nor moments.
 */
import type { Device } from '../device/device';
import { createTensor, elementCount, viewTensor, writeTensor, type Tensor } from '../device/tensor';
import { readTensor } from '../device/commands';
import { assert } from '../lib/assert';
import { normal, Purpose } from '../lib/rng';

const alignment = 64;

/** Where a parameter belongs, for the gradient's norms. */
export type ModelPart = 'embedding' | 'attention' | 'mlp' | 'norms' | 'head';

export interface ParameterSpec {
  readonly name: string;
  readonly part: ModelPart;
  readonly shape: readonly number[];
  /** Standard deviation of normal initial weights, or a constant; `loaded` ones are written from files. */
  readonly init: { readonly std: number } | { readonly constant: number } | 'loaded';
  /** It is not trained. */
  readonly frozen?: true;
  /** Of a frozen matrix: it is held in half precision. */
  readonly halves?: true;
}

export class ParameterStore {
  /** The trained parameters, in the order of `all`. Sizes and flat tensors are theirs. */
  readonly specs: readonly ParameterSpec[];
  /** Elements, padding between views included. */
  readonly size: number;
  /** Elements before this one belong to matrices, which have weight decay; the others belong to vectors. */
  readonly decayed: number;
  readonly value: Tensor;
  readonly gradient: Tensor;
  /** AdamW's first and second moments. */
  readonly first: Tensor;
  readonly second: Tensor;
  /** Frozen parameters that no other store owns. */
  private readonly frozen: readonly Tensor[];
  private readonly views = new Map<string, Tensor>();

  /**
   * @param all in the order in which initial weights are drawn
   * @param base has the frozen parameters already, which are then shared
   */
  constructor(
    private readonly device: Device,
    private readonly all: readonly ParameterSpec[],
    base?: ParameterStore,
  ) {
    const specs = (this.specs = all.filter(({ frozen }) => !frozen));
    const matrices = specs.filter(({ shape }) => shape.length > 1);
    const vectors = specs.filter(({ shape }) => shape.length <= 1);
    this.decayed = alignedSize(matrices);
    this.size = this.decayed + alignedSize(vectors);
    // A buffer cannot be empty, so a model without trained parameters has some padding.
    const flat = (name: string) => createTensor(device, name, [Math.max(this.size, alignment)]);
    this.value = flat('parameters');
    this.gradient = flat('parameter gradients');
    this.first = flat('first moments');
    this.second = flat('second moments');
    for (const [{ name, shape }, offset] of placed([...matrices, ...vectors])) {
      const gradient = viewTensor(this.gradient, `${name}.grad`, offset, shape);
      this.views.set(name, viewTensor(this.value, name, offset, shape, gradient));
    }
    const frozen = all.filter((spec) => spec.frozen);
    this.frozen = base
      ? []
      : frozen.map(({ name, shape, halves }) => {
          return createTensor(device, name, shape, { type: halves ? 'f16' : 'f32' });
        });
    frozen.forEach(({ name }, i) => this.views.set(name, base ? base.get(name) : this.frozen[i]));
  }

  /** The parameter, its gradient attached unless it is frozen. */
  get(name: string): Tensor {
    const view = this.views.get(name);
    assert(view, `there is no parameter ${name}`);
    return view;
  }

  /** First element and one past the last of each trained parameter in the flat tensors, in the order of `specs`. */
  ranges(): [number, number][] {
    return this.specs.map(({ name }) => {
      const { offsetBytes, sizeBytes } = this.get(name);
      return [offsetBytes / 4, (offsetBytes + sizeBytes) / 4];
    });
  }

  /** Draws initial weights: each number is a function of (seed, parameter, index) alone. Shared ones stay. */
  initialise(seed: number): void {
    this.draw(seed, ({ frozen }) => !frozen);
    this.initialiseFrozen(seed);
  }

  /** Draws the frozen weights alone, where the others are read from a file. */
  initialiseFrozen(seed: number): void {
    if (this.frozen.length > 0) this.draw(seed, ({ frozen }) => frozen === true);
  }

  private draw(seed: number, isMeant: (spec: ParameterSpec) => boolean): void {
    this.all.forEach((spec, key) => {
      if (!isMeant(spec)) return;
      const { name, shape, init } = spec;
      if (init === 'loaded') return;
      const data = new Float32Array(elementCount(shape));
      if ('constant' in init) data.fill(init.constant);
      else for (let i = 0; i < data.length; i++) data[i] = init.std * normal(seed, Purpose.init, key, i);
      writeTensor(this.device, this.get(name), data);
    });
  }

  /** Reads back a flat tensor, by parameter name and without padding. */
  async read(flat: Tensor): Promise<Map<string, Float32Array>> {
    return this.split(await readTensor(this.device, flat));
  }

  /** @param numbers of a flat tensor @returns the same by parameter name and without padding */
  split(numbers: Float32Array): Map<string, Float32Array> {
    return new Map(this.ranges().map((range, i) => [this.specs[i].name, numbers.slice(...range)]));
  }

  /** The inverse of `read`. @throws a sentence if a parameter is missing or has another size */
  write(flat: Tensor, numbers: ReadonlyMap<string, Float32Array>): void {
    writeTensor(this.device, flat, this.join(numbers));
  }

  /** The inverse of `split`, with padding 0. @throws a sentence if a parameter is missing or has another size */
  join(numbers: ReadonlyMap<string, Float32Array>): Float32Array<ArrayBuffer> {
    const flat = new Float32Array(this.size);
    this.ranges().forEach(([first, end], i) => {
      const { name } = this.specs[i];
      const data = numbers.get(name);
      if (data?.length !== end - first)
        throw new Error(
          `The checkpoint does not fit: ${name} should have ${end - first} numbers and has ${data?.length ?? 'none'}.`,
        );
      flat.set(data, first);
    });
    return flat;
  }

  destroy(): void {
    for (const { buffer } of [this.value, this.gradient, this.first, this.second, ...this.frozen]) buffer.destroy();
  }
}

/** Numbers that a model has. */
export function parameterCount(specs: readonly ParameterSpec[]): number {
  return specs.reduce((sum, { shape }) => sum + elementCount(shape), 0);
}

/** Each of these with its first element, one aligned behind the other. */
function placed(specs: readonly ParameterSpec[]): [ParameterSpec, number][] {
  return specs.map((spec, i) => [spec, alignedSize(specs.slice(0, i))]);
}

/** Elements that these take, each aligned. */
function alignedSize(specs: readonly ParameterSpec[]): number {
  return specs.reduce((sum, { shape }) => sum + Math.ceil(elementCount(shape) / alignment) * alignment, 0);
}
