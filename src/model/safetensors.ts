/**
 * The safetensors file format: 8 bytes of header length, a JSON header, then raw little-endian numbers.
 * https://huggingface.co/docs/safetensors. float32 only; equal contents give equal bytes.
 */

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>;
  readonly metadata: Readonly<Record<string, string>>;
}

interface HeaderEntry {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

/** Tensors keep the order of the map. */
export function writeSafetensors({ tensors, metadata }: SafetensorsFile): Uint8Array<ArrayBuffer> {
  const header: Record<string, HeaderEntry | Readonly<Record<string, string>>> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { shape, data }] of tensors) {
    header[name] = { dtype: 'F32', shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Readers want the data aligned; spaces after the JSON are allowed for that.
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + headerBytes + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes), true);
  file.fill(0x20, 8, 8 + headerBytes).set(text, 8);
  let at = 8 + headerBytes;
  for (const { data } of tensors.values()) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}

interface Header {
  readonly entries: readonly (readonly [name: string, HeaderEntry])[];
  readonly metadata: SafetensorsFile['metadata'];
  /** The bytes after the header. */
  readonly data: Uint8Array;
}

/** @throws a sentence if the bytes are not a safetensors file of float32 tensors */
export function readSafetensors(file: Uint8Array): SafetensorsFile {
  const { entries, metadata, data } = readHeader(file);
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const [name, { shape, data_offsets }] of entries)
    tensors.set(name, { shape, data: new Float32Array(new Uint8Array(data.subarray(...data_offsets)).buffer) });
  return { tensors, metadata };
}

/** What a file says of itself, its tensors unread. @throws what `readSafetensors` throws */
export function readMetadata(file: Uint8Array): SafetensorsFile['metadata'] {
  return readHeader(file).metadata;
}

function readHeader(file: Uint8Array): Header {
  const wrong = (what: string) => new Error(`This is not a checkpoint that can be read: ${what}.`);
  if (file.length < 8) throw wrong('the file is shorter than a header');
  const headerBytes = Number(new DataView(file.buffer, file.byteOffset, file.byteLength).getBigUint64(0, true));
  if (headerBytes > file.length - 8) throw wrong('the header is longer than the file');
  let header: Record<string, HeaderEntry> & { __metadata__?: Record<string, string> };
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, 8 + headerBytes))) as typeof header;
  } catch {
    throw wrong('the header is not JSON');
  }
  const { __metadata__: metadata = {}, ...named } = header;
  const entries = Object.entries<HeaderEntry>(named);
  const data = file.subarray(8 + headerBytes);
  for (const [name, { dtype, shape, data_offsets }] of entries) {
    if (dtype !== 'F32') throw wrong(`${name} holds ${dtype}, not F32`);
    const [start, end] = data_offsets;
    const count = shape.reduce((product, size) => product * size, 1);
    if (end - start !== count * 4 || start < 0 || end > data.length) throw wrong(`${name} lies outside the file`);
  }
  return { entries, metadata, data };
}
