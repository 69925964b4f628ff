/**
 * Walks the instructions of one expression. It accepts WebAssembly 1.0 with sign extension, saturating conversions and
 * bulk memory, which is what C compiles to. Deliberately nothing that would open another way to loop, to leave a
 * function or to change what can be called: no tail calls, exceptions, typed references, table writes; nor vectors and
 * threads.
 */
import type { ByteReader } from './byte-reader.ts';

/** The opcodes that the metering pass looks for or writes. Those behind the prefix 0xfc are 0xfc00 + their number. */
export const Op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  return: 0x0f,
  call: 0x10,
  callIndirect: 0x11,
  localGet: 0x20,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32LtS: 0x48,
  i32GtU: 0x4b,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  i32ShrU: 0x76,
  memoryInit: 0xfc08,
  memoryCopy: 0xfc0a,
  memoryFill: 0xfc0b,
} as const;

export interface Instruction {
  readonly opcode: number;
  /** Offsets of its first byte and of the byte after its last. */
  readonly start: number;
  readonly end: number;
  /** Blocks that are open around it, not counting the function itself. */
  readonly nesting: number;
  /** The function of a call, the type of a call_indirect, otherwise 0. */
  readonly operand: number;
}

/** Every instruction up to and with the `end` that closes the expression, where it leaves the reader. */
export function* instructions(reader: ByteReader): Generator<Instruction, void> {
  for (let open = 0; open >= 0;) {
    const start = reader.at;
    const nesting = open;
    const first = reader.byte();
    const opcode = first === 0xfc ? 0xfc00 + Math.min(reader.u32(), 0xff) : first;
    const operand = readImmediates(reader, opcode, start);
    if (opcode === Op.block || opcode === Op.loop || opcode === Op.if) open++;
    if (opcode === Op.end) open--;
    yield { opcode, start, end: reader.at, nesting, operand };
  }
}

function readImmediates(reader: ByteReader, opcode: number, start: number): number {
  switch (opcode) {
    case Op.block:
    case Op.loop:
    case Op.if:
      reader.signed(33);
      return 0;
    case Op.call:
      return reader.u32();
    case Op.callIndirect: {
      const type = reader.u32();
      reader.u32();
      return type;
    }
    case 0x0e: // br_table
      reader.vector(() => reader.u32());
      reader.u32();
      return 0;
    case 0x1c: // select with types
      reader.vector(() => reader.byte());
      return 0;
    case Op.i32Const:
      reader.signed(32);
      return 0;
    case 0x42: // i64.const
      reader.signed(64);
      return 0;
    case 0x43: // f32.const
      reader.skip(4);
      return 0;
    case 0x44: // f64.const
      reader.skip(8);
      return 0;
    default:
      for (let count = indexCount(opcode) ?? unknown(reader, opcode, start); count > 0; count--) reader.u32();
      return 0;
  }
}

/** How many plain indices follow an opcode; null if it is not accepted. */
function indexCount(opcode: number): number | null {
  const within = (low: number, high: number) => opcode >= low && opcode <= high;
  if (within(0x00, 0x01) || opcode === 0x05 || opcode === Op.end || opcode === Op.return) return 0;
  // drop, select, arithmetic, conversions
  if (within(0x1a, 0x1b) || within(0x45, 0xc4) || within(0xfc00, 0xfc07)) return 0;
  // branches, variables, memory.size and grow
  if (within(0x0c, 0x0d) || within(0x20, 0x24) || within(0x3f, 0x40)) return 1;
  if (within(0x28, 0x3e) || opcode === Op.memoryInit || opcode === Op.memoryCopy) return 2; // loads and stores
  if (opcode === 0xfc09 || opcode === Op.memoryFill) return 1; // data.drop
  return null;
}

function unknown(reader: ByteReader, opcode: number, start: number): never {
  return reader.fail(
    `it uses the instruction 0x${opcode.toString(16).padStart(2, '0')}, which the metering pass does not know`,
    start,
  );
}
