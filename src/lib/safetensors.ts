/**
 * The safetensors file format: 8 bytes of header length, a JSON header, then raw little-endian numbers.
 * https://huggingface.co/docs/safetensors. float32 or float16; equal contents give equal bytes.
 */
import { packHalves, unpackHalves } from './half';
import { quoted } from './plain-text';
import { headerLength, lengthBytes, parseHeader } from './safetensors-header';

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>;
  readonly metadata: Readonly<Record<string, string>>;
}

const bytesOf = { F32: 4, F16: 2 } as const;

/** Tensors keep the order of the map. @param dtype F16 rounds each number to nearest; all must lie within ± 65504 */
export function writeSafetensors(
  { tensors, metadata }: SafetensorsFile,
  dtype: keyof typeof bytesOf = 'F32',
): Uint8Array<ArrayBuffer> {
  const header: Record<string, Readonly<Record<string, unknown>>> = { __metadata__: metadata };
  let end = 0;
  for (const [name, { shape, data }] of tensors) {
    const sizeBytes = data.length * bytesOf[dtype];
    header[name] = { dtype, shape, data_offsets: [end, end + sizeBytes] };
    end += sizeBytes;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Readers want the data aligned; spaces after the JSON are allowed for that.
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(8 + headerBytes + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes), true);
  file.fill(0x20, 8, 8 + headerBytes).set(text, 8);
  let at = 8 + headerBytes;
  for (const { data } of tensors.values()) {
    const bytes = dtype === 'F32' ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : halvesOf(data);
    file.set(bytes, at);
    at += bytes.length;
  }
  return file;
}

/** Two bytes a number. */
function halvesOf(numbers: Float32Array): Uint8Array {
  const even = new Float32Array(numbers.length + (numbers.length % 2));
  even.set(numbers);
  return new Uint8Array(packHalves(even).buffer, 0, numbers.length * 2);
}

function numbersIn(bytes: Uint8Array, dtype: string): Float32Array {
  if (dtype === 'F32') return new Float32Array(new Uint8Array(bytes).buffer);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  return unpackHalves(words).slice(0, bytes.length / 2);
}

/**
 * Numbers as float32, whatever the file holds. @throws a sentence if the bytes are no safetensors file of F32 or F16
 * tensors
 */
export function readSafetensors(file: Uint8Array): SafetensorsFile {
  const { ranges, metadata } = readHeader(file);
  const tensors = ranges.map(({ name, dtype, shape, start, end }) => {
    return [name, { shape, data: numbersIn(file.subarray(start, end), dtype) }] as const;
  });
  return { tensors: new Map(tensors), metadata };
}

/** What a file says of itself, its tensors unread. @throws what `readSafetensors` throws */
export function readMetadata(file: Uint8Array): SafetensorsFile['metadata'] {
  return readHeader(file).metadata;
}

function readHeader(file: Uint8Array) {
  const wrong = (what: string) => new Error(`This is not a checkpoint that can be read: ${what}.`);
  const length = headerLength(file.subarray(0, lengthBytes), file.length, Infinity, wrong);
  const header = parseHeader(file.subarray(lengthBytes, lengthBytes + length), file.length, wrong);
  const other = header.ranges.find(({ dtype }) => !Object.hasOwn(bytesOf, dtype));
  if (other) throw wrong(`${quoted(other.name)} holds ${quoted(other.dtype)}, not F32 or F16`);
  return header;
}
