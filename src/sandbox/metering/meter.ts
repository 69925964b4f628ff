/**
 * The metering pass: rewrites a WebAssembly module so that its host can bound work, stack and memory exactly, with
 * counters in globals that nothing in the module's memory can reach.
 *
 * Three exported mutable i32 globals:
 * - `fuel` pays for work: 1 at every loop header and at every entry of a cutting function, length/16 for every bulk
 *   operation on memory. A charge that it cannot pay sets it to -1 and traps. It is never charged below, so it cannot
 *   wrap.
 * - `depth` sums the frames of cutting functions that are active, 64 + 8 per parameter and local each; above
 *   `depthLimit` they trap. After a trap it stays where it was: set it to 0 before the next call.
 *
 * Why that is complete: WebAssembly's control flow is structured, so long-running code returns to a loop header
 * or calls functions in a circle, and the cutting functions (`call-graph.ts`) leave no circle without one that pays.
 * Each charge pays for its own activation up to the next charge there, and for calls in between that are free: code
 * that no path goes through twice. So work is at most fuel times a constant of the module, and the stack at most depth
 * times another. Depth alone would not do: a function that calls itself twice is shallow and takes exponential time.
 *
 * It knows nothing of QuickJS. It does not bound the work of imports or of memory.grow, which the maximum bounds.
 */
import { ByteWriter, s32, u32 } from './byte-writer.ts';
import { cuttingFunctions } from './call-graph.ts';
import { Op } from './instructions.ts';
import {
  bodyInstructions,
  openSection,
  readModule,
  SectionId,
  sectionOrder,
  type FunctionBody,
  type FunctionType,
  type WasmModule,
} from './wasm-module.ts';

/** 64 MiB. */
const memoryMaxPages = 1024;
/** Until the host says otherwise, the counters limit nothing. */
const unlimited = 0x7fff_ffff;
const counters = ['fuel', 'depth', 'depthLimit'] as const;
const i32 = 0x7f;
const noResult = 0x40;

/** @param input A module that engines accept. Throws a sentence if it holds something the pass does not understand. */
export function meter(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const module = readModule(input);
  const taken = counters.find((name) => module.exportNames.includes(name));
  if (taken !== undefined) refuse(`it already exports "${taken}"`);
  const globals = [unlimited, 0, unlimited].map(mutableGlobal);
  const exports = counters.map((name, i) => globalExport(name, module.globals + i));
  const rewritten = new Map<number, Uint8Array>([
    [SectionId.global, appended(module, SectionId.global, globals)],
    [SectionId.export, appended(module, SectionId.export, exports)],
    [SectionId.code, meteredCode(module)],
  ]);
  if (module.memory) rewritten.set(SectionId.memory, limitedMemory(module.memory));

  const output = new ByteWriter(2 * input.length).bytes(input.subarray(0, 8));
  for (const id of sectionOrder) {
    const section = module.sections.get(id);
    const content = rewritten.get(id) ?? (section && input.subarray(section.start, section.end));
    if (content) output.section(id, content);
  }
  return output.finish();
}

function limitedMemory({ minPages, maxPages }: NonNullable<WasmModule['memory']>): Uint8Array<ArrayBuffer> {
  if (minPages > memoryMaxPages) refuse(`it starts with ${minPages} pages of memory`);
  const hasMaximum = 1;
  const max = Math.min(maxPages ?? memoryMaxPages, memoryMaxPages);
  return new ByteWriter().u32(1).bytes([hasMaximum]).u32(minPages).u32(max).finish();
}

/** A section's items, then more. */
function appended(module: WasmModule, id: number, more: readonly ArrayLike<number>[]): Uint8Array<ArrayBuffer> {
  const reader = openSection(module, id);
  const writer = new ByteWriter().u32(reader.u32() + more.length).bytes(reader.bytes.subarray(reader.at, reader.end));
  for (const item of more) writer.bytes(item);
  return writer.finish();
}

const mutableGlobal = (value: number) => [i32, 1, Op.i32Const, ...s32(value), Op.end];
const globalExport = (name: string, index: number) => new ByteWriter().name(name).bytes([3]).u32(index).finish();

function meteredCode(module: WasmModule): Uint8Array<ArrayBuffer> {
  const cutting = cuttingFunctions(module);
  const writer = new ByteWriter(2 * module.bytes.length).u32(module.bodies.length);
  for (const [index, body] of module.bodies.entries()) {
    const type = module.types[module.functions[module.importedFunctions + index]];
    writer.sized(meteredBody(module, body, type, cutting.has(index)));
  }
  return writer.finish();
}

function meteredBody(
  module: WasmModule,
  body: FunctionBody,
  type: FunctionType,
  cuts: boolean,
): Uint8Array<ArrayBuffer> {
  const fuel = module.globals;
  const length = type.params.length + body.localCount;
  const { code, usesLength } = meteredInstructions(module, body, { fuel, length, cuts });
  const writer = new ByteWriter(code.length + 256);
  writer.u32(body.localGroups + (usesLength ? 1 : 0)).bytes(module.bytes.subarray(body.locals, body.code));
  if (usesLength) writer.bytes([1, i32]);
  if (!cuts) return writer.bytes(code).finish();
  if (type.results.length > 1) refuse('a function that can call itself again returns several values');
  const frame = 64 + 8 * length;
  const depth = fuel + 1;
  const depthLimit = fuel + 2;
  return writer
    .bytes(charge(fuel, [Op.i32Const, 1]))
    .bytes([
      ...add(depth, frame),
      ...get(depth),
      ...get(depthLimit),
      Op.i32GtU,
      Op.if,
      noResult,
      Op.unreachable,
      Op.end,
    ])
    .bytes([Op.block, type.results[0] ?? noResult])
    .bytes(code)
    .bytes([...add(depth, -frame), Op.end])
    .finish();
}

/**
 * The instructions with their charges. In a cutting function they become the content of a block, whose end is the only
 * way out: branches to the function's own label mean that block now, and a return becomes a branch to it.
 */
function meteredInstructions(
  module: WasmModule,
  body: FunctionBody,
  { fuel, length, cuts }: { fuel: number; length: number; cuts: boolean },
): { code: Uint8Array<ArrayBuffer>; usesLength: boolean } {
  const writer = new ByteWriter(2 * (body.end - body.code) + 64);
  const chargeLoop = charge(fuel, [Op.i32Const, 1]);
  // At most 2²⁸, so a positive number however long a length the guest asks for.
  const chargeBulk = [
    Op.localTee,
    ...u32(length),
    ...charge(fuel, [Op.localGet, ...u32(length), Op.i32Const, 4, Op.i32ShrU]),
  ];
  let usesLength = false;
  let copied = body.code;
  const copyTo = (offset: number) => {
    writer.bytes(module.bytes.subarray(copied, offset));
    copied = offset;
  };
  for (const { opcode, start, end, nesting } of bodyInstructions(module, body)) {
    if (opcode === Op.loop) {
      copyTo(end);
      writer.bytes(chargeLoop);
    } else if (opcode === Op.memoryInit || opcode === Op.memoryCopy || opcode === Op.memoryFill) {
      copyTo(start);
      writer.bytes(chargeBulk);
      usesLength = true;
    } else if (opcode === Op.return && cuts) {
      copyTo(start);
      writer.bytes([Op.br, ...u32(nesting)]);
      copied = end;
    }
  }
  copyTo(body.end);
  return { code: writer.finish(), usesLength };
}

/** @param cost Instructions that push a number from 0 to 2³¹-1. */
function charge(fuel: number, cost: readonly number[]): number[] {
  const runOut = [Op.i32Const, ...s32(-1), ...set(fuel), Op.unreachable];
  return [
    ...get(fuel),
    ...cost,
    Op.i32LtS,
    Op.if,
    noResult,
    ...runOut,
    Op.end,
    ...get(fuel),
    ...cost,
    Op.i32Sub,
    ...set(fuel),
  ];
}

const get = (global: number) => [Op.globalGet, ...u32(global)];
const set = (global: number) => [Op.globalSet, ...u32(global)];
const add = (global: number, amount: number) => [
  ...get(global),
  Op.i32Const,
  ...s32(amount),
  Op.i32Add,
  ...set(global),
];

function refuse(problem: string): never {
  throw new Error(`This WebAssembly module cannot be metered: ${problem}.`);
}
