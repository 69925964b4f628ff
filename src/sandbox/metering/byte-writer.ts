/** Writes WebAssembly's primitive values into a growing buffer; the counterpart of `byte-reader.ts`. */
export class ByteWriter {
  private buffer: Uint8Array<ArrayBuffer>;
  private size = 0;

  constructor(capacityBytes = 256) {
    this.buffer = new Uint8Array(capacityBytes);
  }

  bytes(values: ArrayLike<number>): this {
    if (this.size + values.length > this.buffer.length) this.grow(this.size + values.length);
    this.buffer.set(values, this.size);
    this.size += values.length;
    return this;
  }

  u32(value: number): this {
    return this.bytes(u32(value));
  }

  name(text: string): this {
    return this.sized(new TextEncoder().encode(text));
  }

  /** The length, then the bytes themselves: how names, bodies and sections are stored. */
  sized(content: ArrayLike<number>): this {
    return this.u32(content.length).bytes(content);
  }

  section(id: number, content: ArrayLike<number>): this {
    return this.bytes([id]).sized(content);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.buffer.slice(0, this.size);
  }

  private grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer);
    this.buffer = larger;
  }
}

/** Unsigned LEB128 of an integer below 2³². */
export function u32(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** Signed LEB128 of a 32-bit integer. */
export function s32(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value | 0; ; rest >>= 7) {
    const low = rest & 0x7f;
    const signCarried = low & 0x40 ? -1 : 0;
    if (rest >> 7 === signCarried) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
