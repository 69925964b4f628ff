/**
 * Reads WebAssembly's primitive values one after another. Knows no section and no instruction. For any bytes,
 * what it throws is a sentence with the offset in the file.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Offset of the next byte. */
  at: number;
  /** Offset after the last byte that may be read. */
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get done(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    if (this.done) this.fail('it ends in the middle of something');
    return this.bytes[this.at++];
  }

  skip(count: number): void {
    if (count > this.end - this.at) this.fail(`it ends before ${count} more bytes`);
    this.at += count;
  }

  /** An unsigned LEB128 number below 2³². */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80 && value < 2 ** 32) return value;
    }
    return this.fail('a number does not fit into 32 bits');
  }

  /** A signed LEB128 number of at most `bits` bits; its value is exact up to 53 bits. */
  signed(bits: 32 | 33 | 64): number {
    let value = 0;
    for (let shift = 0; shift < bits; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return byte & 0x40 ? value - 2 ** (shift + 7) : value;
    }
    return this.fail(`a number does not fit into ${bits} bits`);
  }

  name(): string {
    const start = this.at;
    const size = this.u32();
    this.skip(size);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
        this.bytes.subarray(this.at - size, this.at),
      );
    } catch {
      return this.fail('a name is not UTF-8', start);
    }
  }

  /** A count, then that many items of at least one byte each, so that a wild count meets the end of the bytes. */
  vector<T>(read: (reader: ByteReader) => T): T[] {
    const items: T[] = [];
    for (let count = this.u32(); count > 0; count--) items.push(read(this));
    return items;
  }

  /** A reader of the next `size` bytes, which this one skips. */
  part(size: number): ByteReader {
    const start = this.at;
    this.skip(size);
    return new ByteReader(this.bytes, start, this.at);
  }

  fail(problem: string, at = this.at): never {
    throw new Error(`This WebAssembly module cannot be metered: ${problem} (byte ${at}).`);
  }
}
