/**
 * Event files of TensorBoard: records of a length, a checksum of it, an `Event` message and a checksum of that. Format:
 * tensorflow/core/lib/io/record_writer.h and tensorflow/core/util/event.proto.
 */

/** The first record of a file. @param seconds since 1970 */
export const eventFileStart = (seconds: number): Uint8Array =>
  recordOf([...doubleField(1, seconds), ...textField(3, 'brain.Event:2')]);

/** Scalars of one step. @param seconds since 1970 */
export function eventRecord(seconds: number, step: number, scalars: ReadonlyMap<string, number>): Uint8Array {
  const values = [...scalars].flatMap(([tag, value]) => bytesField(1, [...textField(1, tag), ...floatField(2, value)]));
  return recordOf([...doubleField(1, seconds), ...varintField(2, step), ...bytesField(5, values)]);
}

function recordOf(data: readonly number[]): Uint8Array {
  const record = new Uint8Array(data.length + 16);
  const view = new DataView(record.buffer);
  view.setUint32(0, data.length, true);
  view.setUint32(8, maskedChecksum(record.subarray(0, 8)), true);
  record.set(data, 12);
  view.setUint32(12 + data.length, maskedChecksum(record.subarray(12, 12 + data.length)), true);
  return record;
}

/** Wire types of protocol buffers. */
const [varint, fixed64, counted, fixed32] = [0, 1, 2, 5];
const key = (field: number, wire: number): number => (field << 3) | wire;

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
}

const varintField = (field: number, value: number) => [key(field, varint), ...varintOf(value)];
const bytesField = (field: number, bytes: readonly number[]) => [
  key(field, counted),
  ...varintOf(bytes.length),
  ...bytes,
];
const textField = (field: number, text: string) => bytesField(field, [...new TextEncoder().encode(text)]);
const doubleField = (field: number, value: number) => [
  key(field, fixed64),
  ...new Uint8Array(new Float64Array([value]).buffer),
];
const floatField = (field: number, value: number) => [
  key(field, fixed32),
  ...new Uint8Array(new Float32Array([value]).buffer),
];

/** CRC-32C (Castagnoli), rotated and shifted as the format demands. */
function maskedChecksum(bytes: Uint8Array): number {
  const sum = crc32c(bytes);
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

function crc32c(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ table[(sum ^ byte) & 0xff];
  return (sum ^ 0xffffffff) >>> 0;
}
