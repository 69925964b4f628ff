/** Weights by ranges: exact numbers of every type, and one sentence for each fault before any number is read. */
import { describe, expect, test } from 'vitest';
import { bytesInMemory, type ByteSource } from '../../src/lib/byte-source';
import { unpackHalves } from '../../src/lib/half';
import { openSafetensors, openTensors, readJson } from '../../src/lib/stored-tensors';
import { pretrainedVectors } from '../helpers/pretrained';

const models = pretrainedVectors();

test('there are models', () => expect(models.length).toBeGreaterThan(0));

describe.each(models)('$name', ({ files, expected }) => {
  test('every tensor is where and what the vectors say, bit for bit', async () => {
    const tensors = await openTensors(files);
    expect([...tensors.keys()].sort()).toEqual(Object.keys(expected.tensors).sort());
    for (const [name, { file, dtype, shape, first, last, sum }] of Object.entries<Record<string, never>>(
      expected.tensors,
    )) {
      const tensor = tensors.get(name)!;
      expect({ file: tensor.file, dtype: tensor.dtype, shape: tensor.shape }, name).toEqual({ file, dtype, shape });
      const numbers = await tensor.numbers();
      // JSON has no -0: another test looks at it.
      const some = (from: number, to?: number) => Array.from(numbers.subarray(from, to), (number) => number + 0);
      expect(some(0, 8), name).toEqual(first);
      expect(some(-2), name).toEqual(last);
      expect(numbers.reduce((total, number) => total + number, 0)).toBeCloseTo(sum, 6);
    }
  });

  test('a range has the numbers of the whole', async () => {
    for (const tensor of (await openTensors(files)).values()) {
      const numbers = await tensor.numbers();
      expect(await tensor.numbers(3, 5)).toEqual(numbers.slice(3, 8));
      const width = tensor.shape.at(-1)!;
      if (tensor.dtype !== 'F16' || tensor.shape.length === 1) continue;
      expect(unpackHalves(await tensor.halves(width, width, width))).toEqual(numbers.slice(width, 2 * width));
    }
  });
});

/** A file of the format. @param entries the header's @param data after it @param padding blanks behind the header */
function fileOf(entries: Record<string, unknown>, data: Uint8Array | number, padding = 0): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(entries) + ' '.repeat(padding));
  const bytes = typeof data === 'number' ? new Uint8Array(data) : data;
  const file = new Uint8Array(8 + text.length + bytes.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  file.set(bytes, 8 + text.length);
  return file;
}

const entry = (dtype: string, shape: number[], ...range: number[]) => ({ dtype, shape, data_offsets: range });

test.each([0, 1, 2, 3])(
  'subnormals, infinities and NaN are exact with %i blanks behind the header',
  async (padding) => {
    const halves = Uint16Array.of(0x0001, 0x8003, 0x8000, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x0400);
    const brains = Uint16Array.of(0x0001, 0x8080, 0x7f80, 0x3f80);
    const data = new Uint8Array([...new Uint8Array(halves.buffer), ...new Uint8Array(brains.buffer)]);
    const header = { b: entry('BF16', [4], 16, 24), h: entry('F16', [2, 4], 0, 16) };
    const tensors = await openSafetensors('a', bytesInMemory(fileOf(header, data, padding)));
    const half = [2 ** -24, -3 * 2 ** -24, -0, 65504, Infinity, -Infinity, NaN, 2 ** -14];
    expect([...(await tensors.get('h')!.numbers())]).toEqual(half);
    expect([...(await tensors.get('b')!.numbers())]).toEqual([2 ** -133, -(2 ** -126), Infinity, 1]);
    for (const [name, first] of [['b', 0] as const, ['h', 4] as const])
      await expect(tensors.get(name)!.halves(first, 4, 4)).rejects.toThrow(
        `"a" cannot be used: "${name}" holds a number that is not finite, or beyond the ±65504 of half precision.`,
      );
  },
);

test.each<[string, Uint8Array]>([
  ['"f" cannot be read: the file is shorter than a header.', new Uint8Array(7)],
  ['"f" cannot be read: the header is longer than the file.', new Uint8Array(64).fill(0xff)],
  ['"f" cannot be read: the header is not JSON.', fileOf({}, 0).fill(0x7b, 8)],
  ['"f" cannot be read: "a" lies outside the file.', fileOf({ a: entry('F32', [2], 0, 8) }, 7)],
  ['"f" cannot be read: 1 bytes at its end belong to no tensor.', fileOf({ a: entry('F32', [2], 0, 8) }, 9)],
  [
    '"f" cannot be read: "b" does not begin where the tensor before it ends.',
    fileOf({ a: entry('F32', [2], 0, 8), b: entry('F32', [2], 4, 12) }, 12),
  ],
  [
    '"f" cannot be read: "b" does not begin where the tensor before it ends.',
    fileOf({ a: entry('F32', [1], 0, 4), b: entry('F32', [1], 8, 12) }, 12),
  ],
  [
    '"f" cannot be read: "a" has 8 bytes, and its shape needs 16000000000000.',
    fileOf({ a: entry('F32', [2e6, 2e6], 0, 8) }, 8),
  ],
  [
    '"f" cannot be read: "a" has 8 bytes, and its shape needs NaN.',
    fileOf({ a: entry('F32', [2 ** 53 - 1, ...new Array<number>(30).fill(2 ** 53 - 1), 0], 0, 8) }, 8),
  ],
  ['"f" cannot be read: "a" holds "constructor", which is no type', fileOf({ a: entry('constructor', [2], 0, 8) }, 8)],
  ['"f" cannot be read: in the header, a.shape.0: Invalid', fileOf({ a: entry('F32', [-2], 0, 8) }, 8)],
  ['"f" cannot be read: in the header, a.data_offsets.1: Invalid', fileOf({ a: entry('F32', [2], 0) }, 8)],
])('%s', async (sentence, file) => {
  await expect(openSafetensors('f', bytesInMemory(file))).rejects.toThrow(sentence);
});

test('a header of gigabytes is refused before it is read', async () => {
  const reads: number[] = [];
  const source: ByteSource = {
    size: 2 ** 40,
    read: async (_, length) => {
      reads.push(length);
      const bytes = new Uint8Array(length);
      new DataView(bytes.buffer).setBigUint64(0, 2n ** 33n, true);
      return bytes;
    },
  };
  const sentence = '"f" cannot be read: the header has 8589934592 bytes, and at most 16777216 are read.';
  await expect(openSafetensors('f', source)).rejects.toThrow(sentence);
  expect(reads).toEqual([8]);
});

test('integers are refused when they are asked for', async () => {
  const tensors = await openSafetensors('f', bytesInMemory(fileOf({ ids: entry('I64', [1], 0, 8) }, 8)));
  await expect(tensors.get('ids')!.numbers()).rejects.toThrow('"f" cannot be used: "ids" holds I64, and F32, F16 or');
});

test('an index whose files or tensors are missing', async () => {
  const index = (map: unknown) => bytesInMemory(new TextEncoder().encode(JSON.stringify(map)));
  const name = 'model.safetensors.index.json';
  const shard = bytesInMemory(fileOf({ a: entry('F32', [1], 0, 4) }, 4));
  const open = (map: unknown) =>
    openTensors(
      new Map([
        [name, index(map)],
        ['s.safetensors', shard],
      ] as const),
    );
  expect([...(await open({ weight_map: { a: 's.safetensors' } })).keys()]).toEqual(['a']);
  await expect(open({ weight_map: { b: 's.safetensors' } })).rejects.toThrow('"s.safetensors" lacks "b", which');
  await expect(open({ weight_map: { a: '../x' } })).rejects.toThrow('The model has no file "../x".');
  await expect(open({ weight_map: { a: 1 } })).rejects.toThrow(`${name} cannot be read: weight_map.a: `);
  await expect(openTensors(new Map())).rejects.toThrow('The model has no file "model.safetensors".');
  const long = { size: 1e9, read: () => Promise.reject(new Error('read')) };
  await expect(readJson(new Map([['c', long]]), 'c')).rejects.toThrow('it has 1000000000 bytes, and at most');
});
