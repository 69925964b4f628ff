/**
 * The parts of a WebAssembly module that metering must understand; all else stays as bytes. It does not
 * validate; the engine that compiles the result does. It refuses what would make the call graph or the limits
 * incomplete: imported tables and memories, several memories, tables that are filled by anything but plain lists of
 * functions.
 */
import { ByteReader } from './byte-reader.ts';
import { instructions, Op, type Instruction } from './instructions.ts';

export const SectionId = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
} as const;

/** Their order in a file. */
export const sectionOrder = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11] as const;

export interface FunctionType {
  readonly params: readonly number[];
  readonly results: readonly number[];
}

export interface FunctionBody {
  /** Offsets of the first group of locals, of the first instruction, and of what follows the last. */
  readonly locals: number;
  readonly code: number;
  readonly end: number;
  readonly localGroups: number;
  readonly localCount: number;
}

export interface WasmModule {
  readonly bytes: Uint8Array;
  /** Sections with a meaning, in their order; custom ones are left out. */
  readonly sections: ReadonlyMap<number, { readonly start: number; readonly end: number }>;
  readonly types: readonly FunctionType[];
  /** Type of every function, imported ones first. */
  readonly functions: readonly number[];
  readonly importedFunctions: number;
  /** Bodies of the functions that are not imported. */
  readonly bodies: readonly FunctionBody[];
  /** Functions that a call_indirect can reach. */
  readonly tableFunctions: readonly number[];
  readonly memory: { readonly minPages: number; readonly maxPages: number | null } | null;
  readonly globals: number;
  readonly exportNames: readonly string[];
}

export function readModule(bytes: Uint8Array): WasmModule {
  const file = new ByteReader(bytes);
  const magic = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
  if (!magic.every((byte, i) => bytes[i] === byte)) file.fail('it does not start like one of version 1');
  file.skip(magic.length);
  const sections = readSections(file);
  const open = (id: number) => openSection({ bytes, sections }, id);
  const imports = readImports(open(SectionId.import));
  const declared = open(SectionId.function).vector((reader) => reader.u32());
  const types = open(SectionId.type).vector(readType);
  const functions = [...imports.functions, ...declared];
  if (functions.some((type) => type >= types.length))
    open(SectionId.function).fail('a function has a type that does not exist');
  const code = open(SectionId.code);
  const bodies = code.vector(readBody);
  if (bodies.length !== declared.length)
    code.fail(`it declares ${declared.length} functions and holds ${bodies.length}`);
  open(SectionId.table).vector(readTable);
  const elements = open(SectionId.element);
  const tableFunctions = elements.vector(readElements).flat();
  if (tableFunctions.some((index) => index >= functions.length))
    elements.fail('a table holds a function that does not exist');
  return {
    bytes,
    sections,
    types,
    functions,
    importedFunctions: imports.functions.length,
    bodies,
    tableFunctions,
    memory: readMemory(open(SectionId.memory)),
    globals: imports.globals + open(SectionId.global).u32(),
    exportNames: open(SectionId.export).vector(readExport),
  };
}

/** A reader of a section's content; of an empty vector if there is none. */
export function openSection({ bytes, sections }: Pick<WasmModule, 'bytes' | 'sections'>, id: number): ByteReader {
  const section = sections.get(id);
  return section ? new ByteReader(bytes, section.start, section.end) : new ByteReader(Uint8Array.of(0));
}

function readSections(file: ByteReader): Map<number, { start: number; end: number }> {
  const sections = new Map<number, { start: number; end: number }>();
  while (!file.done) {
    const at = file.at;
    const id = file.byte();
    const { at: start, end } = file.part(file.u32());
    if (id === SectionId.custom) continue;
    if (id > SectionId.dataCount) file.fail(`it has a section ${id}, which the metering pass does not know`, at);
    if (sections.has(id)) file.fail(`it has section ${id} twice`, at);
    sections.set(id, { start, end });
  }
  return sections;
}

function readType(reader: ByteReader): FunctionType {
  if (reader.byte() !== 0x60) reader.fail('a type is not that of a function', reader.at - 1);
  return { params: reader.vector(readValueType), results: reader.vector(readValueType) };
}

/** One of the four numbers; only they have a size that the depth counter knows. */
function readValueType(reader: ByteReader): number {
  const type = reader.byte();
  if (type < 0x7c || type > 0x7f)
    reader.fail(`a value has the type 0x${type.toString(16)}, which is no number`, reader.at - 1);
  return type;
}

function readImports(reader: ByteReader): { functions: number[]; globals: number } {
  const functions: number[] = [];
  let globals = 0;
  reader.vector(() => {
    reader.name();
    reader.name();
    const kind = reader.byte();
    if (kind === 0x00) functions.push(reader.u32());
    else if (kind === 0x03) {
      readValueType(reader);
      reader.byte();
      globals++;
    } else reader.fail('it imports something other than functions and globals', reader.at - 1);
  });
  return { functions, globals };
}

function readTable(reader: ByteReader): void {
  if (reader.byte() !== 0x70) reader.fail('a table holds something other than functions', reader.at - 1);
  const flags = reader.byte();
  if (flags > 1) reader.fail('a table has limits of an unknown kind', reader.at - 1);
  for (let count = flags + 1; count > 0; count--) reader.u32();
}

function readMemory(reader: ByteReader): WasmModule['memory'] {
  const memories = reader.vector(() => {
    const flags = reader.byte();
    if (flags > 1) reader.fail('its memory is shared or larger than 32 bits address', reader.at - 1);
    return { minPages: reader.u32(), maxPages: flags === 1 ? reader.u32() : null };
  });
  if (memories.length > 1) reader.fail('it has several memories');
  return memories[0] ?? null;
}

function readElements(reader: ByteReader): number[] {
  if (reader.u32() !== 0)
    reader.fail('a table is filled by something other than a plain list of functions', reader.at - 1);
  for (const _ of instructions(reader)); // the offset in the table
  return reader.vector(() => reader.u32());
}

function readExport(reader: ByteReader): string {
  const name = reader.name();
  reader.byte();
  reader.u32();
  return name;
}

/** Engines accept 50,000; the pass adds one, and a frame's cost must stay far from 2³¹. */
const maxLocals = 49_000;

function readBody(file: ByteReader): FunctionBody {
  const body = file.part(file.u32());
  const start = body.at;
  const localGroups = body.u32();
  const locals = body.at;
  let localCount = 0;
  for (let group = 0; group < localGroups; group++) {
    localCount += body.u32();
    readValueType(body);
  }
  if (localCount > maxLocals) body.fail(`a function has ${localCount} locals`, start);
  return { locals, code: body.at, end: body.end, localGroups, localCount };
}

/** The instructions of one body, which must end where the body does and call only what exists. */
export function* bodyInstructions(module: WasmModule, body: FunctionBody): Generator<Instruction, void> {
  const reader = new ByteReader(module.bytes, body.code, body.end);
  for (const instruction of instructions(reader)) {
    const { opcode, operand, start } = instruction;
    if (opcode === Op.call && operand >= module.functions.length)
      reader.fail(`function ${operand} does not exist`, start);
    if (opcode === Op.callIndirect && operand >= module.types.length)
      reader.fail(`type ${operand} does not exist`, start);
    yield instruction;
  }
  if (!reader.done) reader.fail('a function goes on after its end');
}
