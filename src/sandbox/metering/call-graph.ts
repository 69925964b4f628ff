/**
 * Which functions can call themselves again, directly or through others, and a choice of them that no such cycle
 * avoids. What the host does is not seen: its imports must not call back into the module without bound, nor may it
 * write into a table.
 */
import { Op } from './instructions.ts';
import { bodyInstructions, type WasmModule } from './wasm-module.ts';

/**
 * Functions, by index among those with a body, of which every cycle of calls holds at least one. A cycle of direct
 * calls lies inside one strongly connected component of the direct calls; any other cycle holds a function with a
 * call_indirect.
 */
export function cuttingFunctions(module: WasmModule): ReadonlySet<number> {
  const { direct, indirect } = readCalls(module);
  const all = direct.map((callees, caller) => new Set([...callees, ...indirect[caller]]));
  const onAnyCycle = onCycles(all);
  const onDirectCycle = onCycles(direct);
  return new Set([...onAnyCycle].filter((caller) => onDirectCycle.has(caller) || indirect[caller].size > 0));
}

interface Calls {
  readonly direct: ReadonlySet<number>[];
  /** Everything in a table that has the type asked for. */
  readonly indirect: ReadonlySet<number>[];
}

function readCalls(module: WasmModule): Calls {
  const { importedFunctions: imported, functions, types } = module;
  // Engines compare types by their structure, so two equal types with different indices are one.
  const shapeOf = (type: number) => JSON.stringify(types[type]);
  const inTables = new Map<string, number[]>();
  for (const index of new Set(module.tableFunctions)) {
    const shape = shapeOf(functions[index]);
    inTables.set(shape, [...(inTables.get(shape) ?? []), index]);
  }
  const withBody = (indices: readonly number[]) =>
    new Set(indices.filter((index) => index >= imported).map((index) => index - imported));
  const direct: Set<number>[] = [];
  const indirect: Set<number>[] = [];
  for (const body of module.bodies) {
    const called: number[] = [];
    const shapesCalled = new Set<string>();
    for (const { opcode, operand } of bodyInstructions(module, body)) {
      if (opcode === Op.call) called.push(operand);
      if (opcode === Op.callIndirect) shapesCalled.add(shapeOf(operand));
    }
    direct.push(withBody(called));
    indirect.push(withBody([...shapesCalled].flatMap((shape) => inTables.get(shape) ?? [])));
  }
  return { direct, indirect };
}

/**
 * Nodes that can reach themselves: those of components of two and more, and those with an edge to themselves (Tarjan
 * 1972).
 */
function onCycles(successors: readonly ReadonlySet<number>[]): Set<number> {
  const found = new Set<number>();
  const order = new Map<number, number>();
  const trail: number[] = [];
  const onTrail = new Set<number>();
  /** Lowest order that is still on the trail and reachable from the node. */
  const visit = (node: number): number => {
    const mine = order.size;
    let lowest = mine;
    order.set(node, mine);
    trail.push(node);
    onTrail.add(node);
    for (const next of successors[node]) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (onTrail.has(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    if (lowest === mine) {
      const component = trail.splice(trail.lastIndexOf(node));
      for (const member of component) {
        onTrail.delete(member);
        if (component.length > 1 || successors[member].has(member)) found.add(member);
      }
    }
    return lowest;
  };
  for (const node of successors.keys()) if (!order.has(node)) visit(node);
  return found;
}
