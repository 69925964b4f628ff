/** The functions of shaders/lib/math.ts over arrays, for Node and browsers alike once they are compiled. */
const bytesPerPage = 65536;

export const vectorFunctions = ['exp4', 'exp2x4', 'log4', 'sigmoid4', 'cos4', 'sin4'] as const;
export type VectorFunction = (typeof vectorFunctions)[number];

/** AssemblyScript that exports each function as one from `x` to `y`, addresses of `count` numbers. */
export const vectorMathScript = [
  `import { ${vectorFunctions.map((name) => `${name} as of_${name}`).join(', ')} } from './lib/math';`,
  ...vectorFunctions.map(
    (name) => `export function ${name}(x: usize, y: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i += 4) v128.store(y + i * 4, of_${name}(v128.load(x + i * 4)));
}`,
  ),
].join('\n');

/** @param binary `vectorMathScript`, compiled @param x a count that four divides */
export async function evaluate(
  binary: Uint8Array<ArrayBuffer>,
  name: VectorFunction,
  x: Float32Array,
): Promise<Float32Array<ArrayBuffer>> {
  const pages = 1 + Math.ceil((2 * x.byteLength) / bytesPerPage);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const { instance } = await WebAssembly.instantiate(binary, { env: { memory } });
  const [from, to] = [bytesPerPage, bytesPerPage + x.byteLength];
  new Float32Array(memory.buffer, from, x.length).set(x);
  const run = instance.exports[name] as (x: number, y: number, count: number) => void;
  run(from, to, x.length);
  return Float32Array.from(new Float32Array(memory.buffer, to, x.length));
}

export interface Sample {
  readonly name: VectorFunction;
  readonly points: string;
  readonly x: () => Float32Array;
  /** Of the results' bytes, which are the same in every engine. */
  readonly sha256: string;
}

/** Numbers to evaluate each function at. */
export const samples: readonly Sample[] = [
  {
    name: 'exp4',
    points: '-80 to 88',
    x: () => evenly(-80, 88),
    sha256: 'd34d479a82f4ca0b3acdf1a2b887ef21697b746acb3fd80415be55057ff28e2c',
  },
  {
    name: 'exp2x4',
    points: '-115 to 127',
    x: () => evenly(-115, 127),
    sha256: '03745510cca8c3f303e32f1a209ba024ad87fbf8dc97c2222ef848d09e857be0',
  },
  {
    name: 'log4',
    points: 'all normal numbers',
    x: evenlyByBits,
    sha256: 'd19b46e04b1698aef5d5e40d0915a55b59c83c648b8691972c57c8f8af4bcbe4',
  },
  {
    name: 'log4',
    points: '1/2 to 2',
    x: () => evenly(0.5, 2),
    sha256: 'ae1cc1d87d75e58f8aee110f04d566008e2f56c9b8049cd661f1cf30befbc2b4',
  },
  {
    name: 'sigmoid4',
    points: '-80 to 80',
    x: () => evenly(-80, 80),
    sha256: 'fd7bbd7e5cb43c00c6f85ab104a6ca53363243592ac52b1cb60679570613447f',
  },
  {
    name: 'cos4',
    points: '±1e5',
    x: () => evenly(-1e5, 1e5),
    sha256: 'a97424ae34c16f0ffe977c42e0048c7a9734c7bc9c2d4eb3e02e8c2e58a09961',
  },
  {
    name: 'sin4',
    points: '±1e5',
    x: () => evenly(-1e5, 1e5),
    sha256: 'a6a7150d5ff705c7a4ec516c536924ddcfab1ff79d95ccec3def42845dd4e58a',
  },
];

/** A million numbers, evenly from `first` to `last`. */
function evenly(first: number, last: number): Float32Array {
  return Float32Array.from({ length: 1 << 20 }, (_, i) => first + ((last - first) * i) / ((1 << 20) - 1));
}

/** A million normal numbers, evenly by their bits: as many between 1 and 2 as between 2 and 4. */
function evenlyByBits(): Float32Array {
  const [first, end] = [0x00800000, 0x7f800000];
  const bits = Uint32Array.from({ length: 1 << 20 }, (_, i) => first + Math.floor(((end - first) * i) / (1 << 20)));
  return new Float32Array(bits.buffer);
}
