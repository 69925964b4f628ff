/**
 * All parameters of a model in four flat buffers: values, gradients and both AdamW moments. A parameter is a view,
 * aligned to 256 bytes, so the optimizer needs one dispatch for the whole model.
 */
import type { Device } from '../device/device';
import { createTensor, elementCount, viewTensor, writeTensor, type Tensor } from '../device/tensor';
import { readTensor } from '../device/commands';
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

  constructor(
    private readonly device: Device,
    readonly specs: readonly ParameterSpec[],
  ) {
    const matrices = specs.filter(({ shape }) => shape.length > 1);
    const vectors = specs.filter(({ shape }) => shape.length <= 1);
    this.decayed = alignedSize(matrices);
    this.size = this.decayed + alignedSize(vectors);
    const flat = (name: string) => createTensor(device, name, [this.size]);
    this.value = flat('parameters');
    this.gradient = flat('parameter gradients');
    this.first = flat('first moments');
    this.second = flat('second moments');
    let offset = 0;
    for (const spec of [...matrices, ...vectors]) {
      const { name, shape } = spec;
      const gradient = viewTensor(this.gradient, `${name}.grad`, offset, shape);
      this.views.set(name, viewTensor(this.value, name, offset, shape, gradient));
      offset += alignedSize([spec]);
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
    return this.specs.map(({ name }) => {
      const { offsetBytes, sizeBytes } = this.get(name);
      return [offsetBytes / 4, (offsetBytes + sizeBytes) / 4];
    });
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
    for (const tensor of [this.value, this.gradient, this.first, this.second]) tensor.buffer.destroy();
  }
}

/** Elements that these take, each aligned. */
function alignedSize(specs: readonly ParameterSpec[]): number {
  return specs.reduce((sum, { shape }) => sum + Math.ceil(elementCount(shape) / alignment) * alignment, 0);
}
