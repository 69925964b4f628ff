/**
 * The header of a safetensors file: 8 bytes of length, then JSON that names each tensor's type, shape and range. Types
 * may differ within a file; entries and data come in any order; the data may begin at an odd byte.
 */
import * as v from 'valibot';
import { firstIssue } from './first-issue';
import { quoted } from './plain-text';

export const lengthBytes = 8;

/** Bytes a number of each type of the format. */
const bytesOf: ReadonlyMap<string, number> = new Map([
  ...['F8_E4M3', 'F8_E5M2', 'I8', 'U8', 'BOOL'].map((name) => [name, 1] as const),
  ...['F16', 'BF16', 'I16', 'U16'].map((name) => [name, 2] as const),
  ...['F32', 'I32', 'U32'].map((name) => [name, 4] as const),
  ...['F64', 'I64', 'U64'].map((name) => [name, 8] as const),
]);

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const EntrySchema = v.object({ dtype: v.string(), shape: v.array(count), data_offsets: v.tuple([count, count]) });
const HeaderSchema = v.objectWithRest({ __metadata__: v.optional(v.record(v.string(), v.string()), {}) }, EntrySchema);

type Header = v.InferOutput<typeof EntrySchema>;

export interface TensorRange {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** First byte of the file and one past the last. */
  readonly start: number;
  readonly end: number;
}

export interface SafetensorsHeader {
  /** In the header's order. */
  readonly ranges: readonly TensorRange[];
  readonly metadata: Readonly<Record<string, string>>;
}

/** Makes an error of what is wrong with a file. */
export type Complaint = (what: string) => Error;

/** @param bytes the first 8 of the file @param fileBytes of the whole file @param most bytes that a header may have */
export function headerLength(bytes: Uint8Array, fileBytes: number, most: number, wrong: Complaint): number {
  if (bytes.length < lengthBytes) throw wrong('the file is shorter than a header');
  const length = Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigUint64(0, true));
  if (length > fileBytes - lengthBytes) throw wrong('the header is longer than the file');
  if (length > most) throw wrong(`the header has ${length} bytes, and at most ${most} are read`);
  return length;
}

/**
 * Tensors must fill the rest of the file without gap or overlap.
 * @param text the JSON
 */
export function parseHeader(text: Uint8Array, fileBytes: number, wrong: Complaint): SafetensorsHeader {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    throw wrong('the header is not JSON');
  }
  if (Array.isArray(json)) throw wrong('the header is a list, and must be an object');
  const header = v.safeParse(HeaderSchema, json, { abortEarly: true });
  if (!header.success) throw wrong(`in the header, ${firstIssue(header.issues)}`);
  const { __metadata__: metadata, ...named } = header.output;
  const dataStart = lengthBytes + text.length;
  const ranges = Object.entries<Header>(named).map(
    ([
      name,
      {
        dtype,
        shape,
        data_offsets: [first, last],
      },
    ]) => {
      return { name, dtype, shape, start: dataStart + first, end: dataStart + last };
    },
  );
  requireCover(ranges, dataStart, fileBytes, wrong);
  return { ranges, metadata };
}

function requireCover(ranges: readonly TensorRange[], dataStart: number, fileBytes: number, wrong: Complaint): void {
  let covered = dataStart;
  for (const { name, dtype, shape, start, end } of ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const width = bytesOf.get(dtype);
    if (width === undefined) throw wrong(`${quoted(name)} holds ${quoted(dtype)}, which is no type of the format`);
    const size = shape.reduce((product, length) => product * length, width);
    if (end - start !== size) throw wrong(`${quoted(name)} has ${end - start} bytes, and its shape needs ${size}`);
    if (end > fileBytes) throw wrong(`${quoted(name)} lies outside the file`);
    if (start !== covered) throw wrong(`${quoted(name)} does not begin where the tensor before it ends`);
    covered = end;
  }
  if (covered !== fileBytes) throw wrong(`${fileBytes - covered} bytes at its end belong to no tensor`);
}
