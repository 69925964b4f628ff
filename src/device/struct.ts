/**
 * A struct of a shader, written and read by field name, so that the order of its fields stands in the WGSL only.
 * Fields are f32, u32 and vec4u; sizes and offsets count words of 4 bytes.
 */
import { assert } from '../lib/assert';
import { shaderText } from './webgpu/wgsl';

const fieldSizes: Readonly<Record<string, number>> = { f32: 1, u32: 1, vec4u: 4 };

export class Struct {
  /** A multiple of 4, as uniform buffers need. */
  readonly size: number;
  private readonly fields: readonly { name: string; type: string; offset: number }[];

  constructor(
    shader: string,
    private readonly name: string,
  ) {
    const body = new RegExp(`^struct ${name} \\{([^}]*)\\}`, 'm').exec(shaderText(shader))?.[1];
    assert(body, `shaders/${shader}.wgsl has no struct ${name}`);
    let end = 0;
    this.fields = [...body.matchAll(/^\s*(\w+): (\w+),/gm)].map(([, name, type]) => {
      const size = fieldSizes[type];
      assert(size, `shaders/${shader}.wgsl: ${name} is a ${type}, which only WGSL can read`);
      const offset = Math.ceil(end / size) * size;
      end = offset + size;
      return { name, type, offset };
    });
    this.size = Math.ceil(end / 4) * 4;
  }

  offset(field: string): number {
    return this.fields.find(({ name }) => name === field)!.offset;
  }

  /** @param values the struct's fields, and perhaps others; a vec4u may have fewer than 4 numbers @returns [size] */
  pack(values: Readonly<Record<string, number | readonly number[]>>): Uint32Array {
    const words = new Uint32Array(this.size);
    const floats = new Float32Array(words.buffer);
    for (const { name, type, offset } of this.fields) {
      const value = values[name];
      assert(value !== undefined, `${this.name}.${name} is not given`);
      (type === 'f32' ? floats : words).set([value].flat(), offset);
    }
    return words;
  }

  /** A struct of f32 fields as it was read back. @param words [size] */
  unpack(words: Float32Array): Record<string, number> {
    return Object.fromEntries(this.fields.map(({ name, offset }) => [name, words[offset]]));
  }
}
