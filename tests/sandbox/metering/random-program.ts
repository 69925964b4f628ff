/**
 * Random WebAssembly programs that end: straight arithmetic, loops of few rounds, every kind of branch, calls and bulk
 * memory.
 */
import { bits, Purpose } from '../../../src/lib/rng';
import { Op } from '../../../src/sandbox/metering/instructions';
import {
  add,
  block,
  br,
  brIf,
  brTable,
  bump,
  call,
  callIndirect,
  get,
  loop,
  memoryCopy,
  memoryFill,
  number,
  ret,
  set,
  when,
  type FunctionSpec,
  type ModuleSpec,
} from './build-module';

const functionCount = 6;
const indirectType = 0;
/**
 * Parameters 0 and 1: how deep calls may still go, and a number. Local 2: a number. From 3: one counter for each loop.
 */
const [gas, left, right, firstCounter] = [0, 1, 2, 3];
const mostLoops = 8;
const i32Mul = 0x6c;
const i32Xor = 0x73;
const i32And = 0x71;

/** Global 0 counts, inside the program itself, the work that metering must charge; global 1 mixes all that happens. */
const work = 0;
const state = 1;
const addGlobal = (global: number, ...amount: number[]) => [
  Op.globalGet,
  global,
  ...amount,
  ...add,
  Op.globalSet,
  global,
];

/**
 * @param paysAtEntry Functions that count their entries as work.
 * @returns A module whose function 0 takes (gas, number) and returns a number.
 */
export function randomProgram(seed: number, paysAtEntry: ReadonlySet<number>): ModuleSpec {
  const functions = Array.from({ length: functionCount }, (_, i) => new Writer(seed, i).write(paysAtEntry.has(i)));
  return { functions, table: [...functions.keys()].slice(2), memory: [1], globals: [0, 1] };
}

class Writer {
  private draws = 0;
  private loops = 0;

  constructor(
    private readonly seed: number,
    private readonly index: number,
  ) {}

  write(pays: boolean): FunctionSpec {
    const entry = pays ? addGlobal(work, ...number(1)) : [];
    const code = [...entry, ...this.statements(4, 0), ...this.value()];
    return { params: 2, results: 1, locals: 1 + mostLoops, code };
  }

  private below(count: number): number {
    return bits(this.seed, Purpose.task, this.index, this.draws++) % count;
  }

  /** @param open Labels around them: all take no value, and a branch to any of them keeps the program finite. */
  private statements(most: number, open: number): number[] {
    return Array.from({ length: 1 + this.below(most) }, () => this.statement(open)).flat();
  }

  private statement(open: number): number[] {
    const kind = this.below(open > 4 ? 6 : 10);
    if (kind === 0) return [...this.value(), ...set(this.below(2) === 0 ? left : right)];
    if (kind === 1) return [Op.globalGet, state, ...number(31), i32Mul, ...this.value(), i32Xor, Op.globalSet, state];
    if (kind === 2) return this.bulk();
    if (kind === 3) return this.call();
    if (kind === 4) return this.leave(open);
    if (kind === 5) return open === 0 ? [] : [...this.value(), ...brIf(this.below(open))];
    if (kind === 6) return block(this.statements(3, open + 1));
    if (kind === 7) return [...this.value(), ...when(this.statements(3, open + 1))];
    return this.loop(open);
  }

  private value(): number[] {
    const kind = this.below(5);
    if (kind === 0) return number(this.below(200) - 100);
    if (kind === 1) return get(left);
    if (kind === 2) return get(right);
    if (kind === 3) return [...get(left), ...get(right), i32Xor];
    return [...get(this.below(3)), ...number(this.below(9)), i32And];
  }

  /** The counter stands before all else in the loop, so that whatever branches back counts, too. */
  private loop(open: number): number[] {
    if (this.loops === mostLoops) return [];
    const counter = firstCounter + this.loops++;
    const leaveAtEnd = [...get(counter), 0x45, ...brIf(1), ...bump(counter, -1)];
    const round = [addGlobal(work, ...number(1)), leaveAtEnd, this.statements(3, open + 2), br(0)];
    return [...number(1 + this.below(3)), ...set(counter), ...block(loop(...round))];
  }

  /** Out of the function or of any number of blocks, sometimes. */
  private leave(open: number): number[] {
    const out = open + 1;
    const ways = [
      () => [...this.value(), ...ret],
      () => [...this.value(), ...br(out)],
      () => [...this.value(), ...this.value(), ...brTable(out, out)],
      () => [...this.value(), ...brTable(...Array.from({ length: 3 }, () => this.below(out)))],
    ];
    return [...this.value(), ...number(3), i32And, 0x45, ...when(ways[this.below(ways.length)]())];
  }

  private call(): number[] {
    const given = [...get(gas), ...number(-1), ...add, ...this.value()];
    const indirect = [...number(this.below(functionCount - 2)), ...callIndirect(indirectType)];
    const callee = this.below(3) === 0 ? indirect : call(this.below(functionCount));
    return [...get(gas), ...when(given, callee, set(left))];
  }

  private bulk(): number[] {
    const length = this.below(3000);
    const move = this.below(2) === 0 ? memoryFill : memoryCopy;
    return [
      ...addGlobal(work, ...number(length >>> 4)),
      ...number(this.below(900)),
      ...number(this.below(200)),
      ...number(length),
      ...move,
    ];
  }
}
