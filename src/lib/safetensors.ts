/**
 * The safetensors file format: 8 bytes of header length, a JSON header, then raw little-endian numbers.
 * https://huggingface.co/docs/safetensors. float32 or float16; equal contents give equal bytes.
 */
import * as v from 'valibot';
import { firstIssue } from './first-issue';
import { packHalves, unpackHalves } from './half';
import { quoted } from './plain-text';

export interface SafetensorsFile {
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly data: Float32Array }>;
  readonly metadata: Readonly<Record<string, string>>;
}

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const EntrySchema = v.object({ dtype: v.string(), shape: v.array(count), data_offsets: v.tuple([count, count]) });
const HeaderSchema = v.objectWithRest({ __metadata__: v.optional(v.record(v.string(), v.string()), {}) }, EntrySchema);

type HeaderEntry = v.InferOutput<typeof EntrySchema>;

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
  const { entries, metadata, data } = readHeader(file);
  const tensors = entries.map(([name, { dtype, shape, data_offsets }]) => {
    return [name, { shape, data: numbersIn(data.subarray(...data_offsets), dtype) }] as const;
  });
  return { tensors: new Map(tensors), metadata };
}

/** What a file says of itself, its tensors unread. @throws what `readSafetensors` throws */
export function readMetadata(file: Uint8Array): SafetensorsFile['metadata'] {
  return readHeader(file).metadata;
}

/** @returns `data`: the bytes after the header */
function readHeader(file: Uint8Array) {
  const wrong = (what: string) => new Error(`This is not a checkpoint that can be read: ${what}.`);
  if (file.length < 8) throw wrong('the file is shorter than a header');
  const headerBytes = Number(new DataView(file.buffer, file.byteOffset, file.byteLength).getBigUint64(0, true));
  if (headerBytes > file.length - 8) throw wrong('the header is longer than the file');
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file.subarray(8, 8 + headerBytes)));
  } catch {
    throw wrong('the header is not JSON');
  }
  if (Array.isArray(json)) throw wrong('the header is a list, and must be an object');
  const header = v.safeParse(HeaderSchema, json);
  if (!header.success) throw wrong(`in the header, ${firstIssue(header.issues)}`);
  const { __metadata__: metadata, ...named } = header.output;
  const entries = Object.entries<HeaderEntry>(named);
  const data = file.subarray(8 + headerBytes);
  let covered = 0;
  const ordered = entries.toSorted(([, { data_offsets: a }], [, { data_offsets: b }]) => a[0] - b[0] || a[1] - b[1]);
  for (const [name, { dtype, shape, data_offsets }] of ordered) {
    if (dtype !== 'F32' && dtype !== 'F16') throw wrong(`${quoted(name)} holds ${quoted(dtype)}, not F32 or F16`);
    const [start, end] = data_offsets;
    const size = shape.reduce((product, length) => product * length, bytesOf[dtype]);
    if (end - start !== size) throw wrong(`${quoted(name)} has ${end - start} bytes, and its shape needs ${size}`);
    if (end > data.length) throw wrong(`${quoted(name)} lies outside the file`);
    if (start !== covered) throw wrong(`${quoted(name)} does not begin where the tensor before it ends`);
    covered = end;
  }
  if (covered !== data.length) throw wrong(`${data.length - covered} bytes at its end belong to no tensor`);
  return { entries, metadata, data };
}
