/** Ranges of one WebAssembly memory. The first free range that is large enough is taken; freed neighbours join. */
import { assert } from '../../lib/assert';

const pageBytes = 65536;
const alignment = 256;
/** The kernels' own data lie below. */
const firstByte = 65536;
const firstPages = 64;
/** What 32 bits can address; a machine that does not give so much address space gives less. */
export const maxMemoryBytes = 65536 * pageBytes;

interface FreeRange {
  readonly at: number;
  readonly size: number;
}

export class LinearMemory {
  readonly memory: WebAssembly.Memory;
  readonly maxBytes: number;
  /** In the order of addresses. */
  private free: FreeRange[] = [{ at: firstByte, size: firstPages * pageBytes - firstByte }];
  private readonly taken = new Map<number, number>();

  /** @param limit bytes that it may not grow beyond, however much could be addressed */
  constructor(shared: boolean, limit = maxMemoryBytes) {
    const { memory, pages } = reserve(shared, Math.min(limit, maxMemoryBytes));
    this.memory = memory;
    this.maxBytes = pages * pageBytes;
  }

  /** @returns the address of zero-filled bytes @throws RangeError if there is not enough memory */
  allocate(bytes: number): number {
    const size = Math.ceil(bytes / alignment) * alignment;
    const index = this.free.findIndex((range) => range.size >= size);
    if (index < 0) {
      this.grow(size);
      return this.allocate(bytes);
    }
    const { at, size: available } = this.free[index];
    this.free.splice(index, 1, ...(available > size ? [{ at: at + size, size: available - size }] : []));
    this.taken.set(at, size);
    new Uint8Array(this.memory.buffer, at, size).fill(0);
    return at;
  }

  release(at: number): void {
    const size = this.taken.get(at);
    assert(size !== undefined, 'memory is released that was not allocated');
    this.taken.delete(at);
    this.insert({ at, size });
  }

  private insert(range: FreeRange): void {
    let index = this.free.findIndex(({ at }) => at > range.at);
    if (index < 0) index = this.free.length;
    let { at, size } = range;
    let [first, count] = [index, 0];
    const before = this.free[index - 1];
    const after = this.free[index];
    assert(!before || before.at + before.size <= at, 'free ranges overlap');
    if (before && before.at + before.size === at) {
      [at, size] = [before.at, before.size + size];
      [first, count] = [index - 1, 1];
    }
    if (after && at + size === after.at) {
      size += after.size;
      count++;
    }
    this.free.splice(first, count, { at, size });
  }

  /** By at least an eighth, so that growing stays rare. */
  private grow(bytes: number): void {
    const end = this.memory.buffer.byteLength;
    const wanted = Math.max(Math.ceil(bytes / pageBytes), Math.ceil(end / pageBytes / 8));
    const pages = Math.min(wanted, Math.floor((this.maxBytes - end) / pageBytes));
    if (pages * pageBytes < bytes) throw new RangeError('not enough memory');
    this.memory.grow(pages);
    this.insert({ at: end, size: pages * pageBytes });
  }
}

function reserve(shared: boolean, limit: number): { memory: WebAssembly.Memory; pages: number } {
  const maxPages = Math.max(firstPages, Math.floor(limit / pageBytes));
  for (let pages = maxPages; ; pages = Math.floor(pages / 2)) {
    try {
      return { memory: new WebAssembly.Memory({ initial: firstPages, maximum: pages, shared }), pages };
    } catch (error) {
      if (!(error instanceof RangeError) || pages / 2 < firstPages) throw error;
    }
  }
}
