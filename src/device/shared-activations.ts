/** Memory that blocks of a tape use one after the other: a tensor of a block is free for the next one. */
import { createTensor, elementCount, viewTensor, type Tensor } from './tensor';
import type { Device } from './device';

export class SharedActivations {
  /** Flat, by their number of elements, in the order in which they were made. */
  private readonly free = new Map<number, Tensor[]>();
  private taken: Tensor[] = [];

  constructor(
    private readonly device: Device,
    private readonly training: boolean,
  ) {}

  /** A tensor for the current block, with a gradient if the tape trains. It has the numbers of the one before it. */
  take(name: string, shape: readonly number[]): { tensor: Tensor; isNew: boolean } {
    const count = elementCount(shape);
    const known = this.free.get(count)?.shift();
    const flat = known ?? createTensor(this.device, name, [count], { gradient: this.training });
    this.taken.push(flat);
    const grad = flat.grad && viewTensor(flat.grad, `${name}.grad`, 0, shape);
    return { tensor: viewTensor(flat, name, 0, shape, grad), isNew: !known };
  }

  /** Ends the block. @param kept is no longer shared @returns the others, which the next block may take */
  release(kept: Tensor | null): Tensor[] {
    const shared = this.taken.filter(({ buffer }) => buffer !== kept?.buffer);
    for (const flat of shared) {
      const [count] = flat.shape;
      this.free.set(count, [...(this.free.get(count) ?? []), flat]);
    }
    this.taken = [];
    return shared;
  }
}
