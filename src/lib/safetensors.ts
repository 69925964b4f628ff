/**
 * The safetensors file format: 8 bytes of header length, a JSON header, then raw little-endian numbers.
 * https://huggingface.co/docs/safetensors. float32 or float16; equal contents give equal bytes.
 */
import { packHalves, unpackHalves } from './half';
import { joined } from './joined';
import { quoted } from './plain-text';
import { headerLength, lengthBytes, parseHeader } from './safetensors-header';

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>;
  readonly metadata: Readonly<Record<string, string>>;
}

const bytesOf = { F32: 4, F16: 2 } as const;

/** How a file is written. F16 rounds each number to nearest; all must lie within ± 65504. */
export type WrittenType = keyof typeof bytesOf;

/** Tensors keep the order of the map. */
export function writeSafetensors(
  { tensors, metadata }: SafetensorsFile,
  dtype: WrittenType = 'F32',
): Uint8Array<ArrayBuffer> {
  const shapes = [...tensors].map(([name, { shape }]) => [name, shape] as const);
  const pieces = [writeHeader(shapes, metadata, dtype)];
  for (const { data } of tensors.values()) pieces.push(writeNumbers(data, dtype));
  return joined(pieces);
}

/** All of a file before its numbers, for files that are written tensor by tensor. */
export function writeHeader(
  shapes: readonly (readonly [name: string, shape: readonly number[]])[],
  metadata: SafetensorsFile['metadata'],
  dtype: WrittenType,
): Uint8Array {
  const header: Record<string, Readonly<Record<string, unknown>>> = { __metadata__: metadata };
  let end = 0;
  for (const [name, shape] of shapes) {
    const sizeBytes = shape.reduce((product, length) => product * length, bytesOf[dtype]);
    header[name] = { dtype, shape, data_offsets: [end, end + sizeBytes] };
    end += sizeBytes;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Readers want the data aligned; spaces after the JSON are allowed for that.
  const headerBytes = Math.ceil(text.length / 8) * 8;
  const start = new Uint8Array(8 + headerBytes).fill(0x20, 8);
  new DataView(start.buffer).setBigUint64(0, BigInt(headerBytes), true);
  start.set(text, 8);
  return start;
}

/** A tensor's bytes in a file. */
export function writeNumbers(data: Float32Array, dtype: WrittenType): Uint8Array {
  return dtype === 'F32' ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : halvesOf(data);
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
