/**
 * Tensors of safetensors files by ranges: headers are read first and numbers when they are asked for, so a model may be
 * larger than any array. Numbers become float32 exactly, whatever type the header gives them.
 */
import * as v from 'valibot';
import type { ByteSource } from './byte-source';
import { firstIssue } from './first-issue';
import { allFiniteHalves, fitHalves, packHalfRows, unpackHalves } from './half';
import { quoted } from './plain-text';
import { headerLength, lengthBytes, parseHeader, type TensorRange } from './safetensors-header';

/** A model of 80 layers has a header of 0.1 MB. */
const maxHeaderBytes = 1 << 24;
const singleName = 'model.safetensors';
const indexName = 'model.safetensors.index.json';
const IndexSchema = v.object({ weight_map: v.record(v.string(), v.string()) });

/** Files of a folder by their names. */
export type Files = ReadonlyMap<string, ByteSource>;

/** A tensor in a file, not read yet. */
export class StoredTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly count: number;

  constructor(
    readonly file: string,
    private readonly source: ByteSource,
    private readonly range: TensorRange,
  ) {
    this.name = range.name;
    this.dtype = range.dtype;
    this.shape = range.shape;
    this.count = range.shape.reduce((product, length) => product * length, 1);
  }

  /** `count` numbers from the `first` on. @throws a sentence if they are no floating-point numbers of 16 or 32 bits */
  async numbers(first = 0, count = this.count - first): Promise<Float32Array<ArrayBuffer>> {
    return decoders[this.decoded](await this.bytes(first, count));
  }

  /** Whether it holds numbers of 16 bits. */
  get isHalf(): boolean {
    return this.dtype === 'F16' || this.dtype === 'BF16';
  }

  /**
   * Whole rows of `width` as halves, each in words of its own. Numbers of 16 bits keep their value, but those of BF16
   * below 2⁻¹⁷ become multiples of 2⁻²⁴. @throws a sentence if one is beyond ±65504
   */
  async halves(first: number, count: number, width: number): Promise<Uint32Array<ArrayBuffer>> {
    if (this.decoded === 'F16' && width % 2 === 0) {
      const words = new Uint32Array((await this.bytes(first, count)).buffer);
      if (allFiniteHalves(words)) return words;
    } else {
      const numbers = await this.numbers(first, count);
      if (fitHalves(numbers)) return packHalfRows(numbers, width);
    }
    throw this.wrong('holds a number that is not finite, or beyond the ±65504 of half precision');
  }

  private get decoded(): keyof typeof decoders {
    const { dtype } = this;
    if (dtype === 'F32' || dtype === 'F16' || dtype === 'BF16') return dtype;
    throw this.wrong(`holds ${dtype}, and F32, F16 or BF16 is needed`);
  }

  private async bytes(first: number, count: number): Promise<Uint8Array<ArrayBuffer>> {
    const width = this.decoded === 'F32' ? 4 : 2;
    return this.source.read(this.range.start + first * width, count * width);
  }

  private wrong(what: string): Error {
    return new Error(`${quoted(this.file, 80)} cannot be used: ${quoted(this.name, 80)} ${what}.`);
  }
}

const decoders = {
  F32: (bytes: Uint8Array<ArrayBuffer>) => new Float32Array(bytes.buffer),
  F16: (bytes: Uint8Array<ArrayBuffer>) => {
    const words = new Uint32Array(Math.ceil(bytes.length / 4));
    new Uint8Array(words.buffer).set(bytes);
    return unpackHalves(words).subarray(0, bytes.length / 2);
  },
  /** The upper half of a float32. */
  BF16: (bytes: Uint8Array<ArrayBuffer>) => {
    const upper = new Uint16Array(bytes.buffer);
    const bits = new Uint32Array(upper.length);
    for (let i = 0; i < bits.length; i++) bits[i] = upper[i] << 16;
    return new Float32Array(bits.buffer);
  },
};

/** The tensors of one file. @param name of the file, for sentences @throws a sentence about what is wrong with it */
export async function openSafetensors(name: string, source: ByteSource): Promise<Map<string, StoredTensor>> {
  const wrong = (what: string) => new Error(`${quoted(name, 80)} cannot be read: ${what}.`);
  const start = await source.read(0, Math.min(lengthBytes, source.size));
  const length = headerLength(start, source.size, maxHeaderBytes, wrong);
  const { ranges } = parseHeader(await source.read(lengthBytes, length), source.size, wrong);
  return new Map(ranges.map((range) => [range.name, new StoredTensor(name, source, range)]));
}

/**
 * The tensors of a model's folder: of its index's files, or of model.safetensors.
 * @throws a sentence about a file that is missing or wrong
 */
export async function openTensors(files: Files): Promise<Map<string, StoredTensor>> {
  if (!files.has(indexName)) return openSafetensors(singleName, fileOf(files, singleName));
  const places = await placesOf(files);
  const names = [...new Set(places.map(([, file]) => file))];
  const opened = new Map<string, Map<string, StoredTensor>>();
  for (const name of names) opened.set(name, await openSafetensors(name, fileOf(files, name)));
  return new Map(
    places.map(([name, file]) => {
      const tensor = opened.get(file)!.get(name);
      if (!tensor) throw new Error(`${quoted(file, 80)} lacks ${quoted(name, 80)}, which ${indexName} says it has.`);
      return [name, tensor];
    }),
  );
}

/** Names of the files that `openTensors` reads. @throws a sentence if the index is wrong */
export async function tensorFiles(files: Files): Promise<string[]> {
  if (!files.has(indexName)) return [singleName];
  return [indexName, ...new Set((await placesOf(files)).map(([, file]) => file))];
}

/** Each tensor of the index, and its file. */
const placesOf = async (files: Files) => Object.entries(parseIndex(await readJson(files, indexName)));

function parseIndex(json: unknown): Readonly<Record<string, string>> {
  const index = v.safeParse(IndexSchema, json, { abortEarly: true });
  if (index.success) return index.output.weight_map;
  throw new Error(`${indexName} cannot be read: ${firstIssue(index.issues)}.`);
}

/** A file as JSON. @throws a sentence if it is missing, too long or no JSON */
export async function readJson(files: Files, name: string, maxBytes = maxHeaderBytes): Promise<unknown> {
  const source = fileOf(files, name);
  if (source.size > maxBytes)
    throw new Error(
      `${quoted(name, 80)} cannot be read: it has ${source.size} bytes, and at most ${maxBytes} are read.`,
    );
  const bytes = await source.read(0, source.size);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`${quoted(name, 80)} cannot be read: it is not JSON.`);
  }
}

/** @throws a sentence if it is missing */
export function fileOf(files: Files, name: string): ByteSource {
  const source = files.get(name);
  if (!source) throw new Error(`The model has no file ${quoted(name, 80)}.`);
  return source;
}
