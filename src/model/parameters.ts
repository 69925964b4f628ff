/**
 * All parameters of a model in four flat buffers: values, gradients and both AdamW moments. A parameter is a view,
 * aligned to 256 bytes, so the optimizer needs one dispatch for the whole model.
 */
import type { Device } from '../gpu/device';
import { createTensor, elementCount, viewTensor, writeTensor, type Tensor } from '../gpu/tensor';
import { readTensor } from '../gpu/commands';
import { assert } from '../lib/assert';
import { normal, Purpose } from '../lib/rng';
import type { ParameterSpec } from './shape';

const alignment = 64;

export class ParameterStore {
  /** Elements, padding between views included. */
  readonly size: number;
  /** Elements before this one belong to matrices, which have weight decay; the others belong to vectors. */
  readonly decayed: number;
  readonly value: Tensor;
  readonly gradient: Tensor;
  /** AdamW's first and second moments. */
  readonly first: Tensor;
  readonly second: Tensor;
  private readonly views = new Map<string, Tensor>();
  private readonly offsets = new Map<string, number>();

  constructor(
    private readonly device: Device,
    readonly specs: readonly ParameterSpec[],
  ) {
    const isMatrix = (spec: ParameterSpec) => spec.shape.length > 1;
    let offset = 0;
    let decayed = 0;
    for (const spec of [...specs.filter(isMatrix), ...specs.filter((each) => !isMatrix(each))]) {
      this.offsets.set(spec.name, offset);
      offset += Math.ceil(elementCount(spec.shape) / alignment) * alignment;
      if (isMatrix(spec)) decayed = offset;
    }
    this.size = offset;
    this.decayed = decayed;
    const flat = (name: string) => createTensor(device, name, [offset]);
    this.value = flat('parameters');
    this.gradient = flat('parameter gradients');
    this.first = flat('first moments');
    this.second = flat('second moments');
    for (const { name, shape } of specs) {
      const at = this.offsets.get(name)!;
      const gradient = viewTensor(this.gradient, `${name}.grad`, at, shape);
      this.views.set(name, viewTensor(this.value, name, at, shape, gradient));
    }
  }

  /** The parameter, its gradient attached. */
  get(name: string): Tensor {
    const view = this.views.get(name);
    assert(view, `there is no parameter ${name}`);
    return view;
  }

  /** First element and one past the last of each parameter in the flat tensors, in the order of `specs`. */
  ranges(): [number, number][] {
    return this.specs.map(({ name, shape }) => [
      this.offsets.get(name)!,
      this.offsets.get(name)! + elementCount(shape),
    ]);
  }

  /** Draws initial weights: each number is a function of (seed, parameter, index) alone. */
  initialise(seed: number): void {
    this.specs.forEach(({ name, shape, init }, key) => {
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
    return new Map(
      this.specs.map(({ name, shape }) => [
        name,
        numbers.slice(this.offsets.get(name)!, this.offsets.get(name)! + elementCount(shape)),
      ]),
    );
  }

  /** The inverse of `read`. @throws a sentence if a parameter is missing or has another size */
  write(flat: Tensor, numbers: ReadonlyMap<string, Float32Array>): void {
    writeTensor(this.device, flat, this.join(numbers));
  }

  /** The inverse of `split`, with padding 0. @throws a sentence if a parameter is missing or has another size */
  join(numbers: ReadonlyMap<string, Float32Array>): Float32Array<ArrayBuffer> {
    const flat = new Float32Array(this.size);
    for (const { name, shape } of this.specs) {
      const data = numbers.get(name);
      if (data?.length !== elementCount(shape)) {
        throw new Error(
          `The checkpoint does not fit this model: ${name} should have ${elementCount(shape)} numbers and has ${data?.length ?? 'none'}.`,
        );
      }
      flat.set(data, this.offsets.get(name)!);
    }
    return flat;
  }

  destroy(): void {
    for (const tensor of [this.value, this.gradient, this.first, this.second]) tensor.buffer.destroy();
  }
}
