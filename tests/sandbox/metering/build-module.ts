/**
 * Builds small WebAssembly modules for tests. Every value is an i32; function and type indices are positions in the
 * list.
 */
import { ByteWriter, s32, u32 } from '../../../src/sandbox/metering/byte-writer';
import { Op } from '../../../src/sandbox/metering/instructions';
import { SectionId, sectionOrder } from '../../../src/sandbox/metering/wasm-module';

export const i32 = 0x7f;
export const none = 0x40;

export interface FunctionSpec {
  readonly params?: number;
  readonly results?: number;
  readonly locals?: number;
  /** Without the closing `end`. */
  readonly code: readonly number[];
}

export interface ModuleSpec {
  /** Exported as "f0", "f1", … Each has a type of its own, even if two are equal. */
  readonly functions: readonly FunctionSpec[];
  /** Functions in the one table. */
  readonly table?: readonly number[];
  /** Minimum and, if given, maximum pages, exported as "memory". */
  readonly memory?: readonly [number] | readonly [number, number];
  /** First values of mutable globals, exported as "g0", "g1", … */
  readonly globals?: readonly number[];
  /** A passive data segment. */
  readonly data?: readonly number[];
  readonly start?: number;
  /** Sections that take the place of what the rest of the specification says. */
  readonly sections?: Readonly<Record<number, readonly number[]>>;
}

export const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

export function buildModule(spec: ModuleSpec): Uint8Array<ArrayBuffer> {
  const { functions, table, memory, globals = [], data, start } = spec;
  const exports = [
    ...functions.map((_, i) => named(`f${i}`, 0, i)),
    ...(memory ? [named('memory', 2, 0)] : []),
    ...globals.map((_, i) => named(`g${i}`, 3, i)),
  ];
  const content: Record<number, readonly number[] | undefined> = {
    [SectionId.type]: vector(
      functions.map(({ params = 0, results = 0 }) => [0x60, ...values(params), ...values(results)]),
    ),
    [SectionId.function]: vector(functions.map((_, i) => u32(i))),
    ...(table && { [SectionId.table]: [1, 0x70, 0, ...u32(table.length)] }),
    ...(memory && { [SectionId.memory]: [1, memory.length - 1, ...memory.flatMap(u32)] }),
    ...(globals.length > 0 && {
      [SectionId.global]: vector(globals.map((value) => [i32, 1, ...number(value), Op.end])),
    }),
    [SectionId.export]: vector(exports),
    ...(start !== undefined && { [SectionId.start]: u32(start) }),
    ...(table && { [SectionId.element]: [1, 0, ...number(0), Op.end, ...vector(table.map(u32))] }),
    ...(data && { [SectionId.dataCount]: [1], [SectionId.data]: [1, 1, ...vector(data.map((byte) => [byte]))] }),
    [SectionId.code]: vector(functions.map(body)),
    ...spec.sections,
  };
  const writer = new ByteWriter().bytes(header);
  for (const id of [0, ...sectionOrder, 13]) if (content[id]) writer.section(id, content[id]);
  return writer.finish();
}

function body({ locals = 0, code }: FunctionSpec): number[] {
  const content = [...(locals > 0 ? [1, ...u32(locals), i32] : [0]), ...code, Op.end];
  return [...u32(content.length), ...content];
}

const vector = (items: readonly (readonly number[])[]): number[] => [...u32(items.length), ...items.flat()];
const values = (count: number): number[] => vector(Array.from({ length: count }, () => [i32]));
const named = (name: string, kind: number, index: number): number[] => [
  ...new ByteWriter().name(name).bytes([kind]).u32(index).finish(),
];

export const number = (value: number): number[] => [Op.i32Const, ...s32(value)];
export const get = (local: number): number[] => [Op.localGet, ...u32(local)];
export const set = (local: number): number[] => [0x21, ...u32(local)];
export const add = [Op.i32Add];
export const call = (index: number): number[] => [Op.call, ...u32(index)];
export const callIndirect = (type: number): number[] => [Op.callIndirect, ...u32(type), 0];
export const block = (...code: readonly number[][]): number[] => [Op.block, none, ...code.flat(), Op.end];
export const loop = (...code: readonly number[][]): number[] => [Op.loop, none, ...code.flat(), Op.end];
export const when = (...code: readonly number[][]): number[] => [Op.if, none, ...code.flat(), Op.end];
export const br = (label: number): number[] => [Op.br, label];
export const brIf = (label: number): number[] => [0x0d, label];
export const brTable = (...labels: number[]): number[] => [0x0e, labels.length - 1, ...labels];
export const ret = [Op.return];
export const memoryInit = [0xfc, 0x08, 0, 0];
export const memoryCopy = [0xfc, 0x0a, 0, 0];
export const memoryFill = [0xfc, 0x0b, 0];
/** Adds to a local. */
export const bump = (local: number, amount: number): number[] => [
  ...get(local),
  ...number(amount),
  ...add,
  ...set(local),
];

/** What a metered instance exports. */
export interface Metered {
  readonly fuel: WebAssembly.Global<'i32'>;
  readonly depth: WebAssembly.Global<'i32'>;
  readonly depthLimit: WebAssembly.Global<'i32'>;
  readonly memory: WebAssembly.Memory;
  readonly [name: `f${number}`]: (...args: number[]) => number;
  readonly [name: `g${number}`]: WebAssembly.Global<'i32'>;
}

export const instantiate = (bytes: Uint8Array<ArrayBuffer>): Metered =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Metered;
