/**
 * safetensors: what is written is read back, from any view of memory, and what is no such file is answered by a
 * sentence.
 */
import { expect, test } from 'vitest';
import { readMetadata, readSafetensors, writeSafetensors } from '../../src/lib/safetensors';

const file = writeSafetensors({
  tensors: new Map([
    ['a', { shape: [2, 3], data: Float32Array.of(1, -2, 3.5, NaN, Infinity, 1e-40) }],
    ['b.c', { shape: [1], data: Float32Array.of(7) }],
  ]),
  metadata: { format: 'test', text: 'Ä "quoted"' },
});

test('round trip, also from a view into a larger buffer', () => {
  const pool = Buffer.alloc(file.length + 13, 0xee);
  pool.set(file, 5);
  for (const bytes of [file, pool.subarray(5, 5 + file.length)]) {
    const { tensors, metadata } = readSafetensors(bytes);
    expect(readMetadata(bytes)).toEqual(metadata);
    expect(metadata).toEqual({ format: 'test', text: 'Ä "quoted"' });
    expect([...tensors.keys()]).toEqual(['a', 'b.c']);
    expect(tensors.get('a')).toEqual({ shape: [2, 3], data: Float32Array.of(1, -2, 3.5, NaN, Infinity, 1e-40) });
    expect([...tensors.get('b.c')!.data]).toEqual([7]);
  }
});

test('the header is the format’s: its length in 8 bytes, then JSON', () => {
  const length = Number(new DataView(file.buffer).getBigUint64(0, true));
  expect(length % 8).toBe(0);
  expect(JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + length)))).toMatchObject({
    a: { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
  });
});

test.each<[string, Uint8Array]>([
  ['shorter than a header', new Uint8Array(3)],
  ['the header is longer than the file', new Uint8Array(16).fill(0xff)],
  ['the header is not JSON', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0x7b, 0x7b)],
  ['the header is a list, and must be an object', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0x5b, 0x5d)],
  ['in the header, Invalid type', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0x31)],
  ['lies outside the file', file.subarray(0, file.length - 4)],
])('%s', (sentence, bytes) => {
  expect(() => readSafetensors(bytes)).toThrow(sentence);
  expect(() => readMetadata(bytes)).toThrow(sentence);
});
