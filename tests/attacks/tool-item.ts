/**
 * Runs one item of hostile tool code in any sandbox, in Node or in a page, and reports what was seen. Judges nothing
 * (judge.ts). The code becomes the body of a tool of an ordinary environment module, between two calls of a second tool
 * that looks at the guest.
 */
import { fuelLimits, type Sandbox, type Verdict } from '../../src/agent/sandbox';
import type { Json } from '../../src/lib/json';

/** The most that any call may have: whatever ends under it ends under less. */
const fuel = fuelLimits.request;

export const attackArgs = { x: 1, s: 'hi', list: [1, 2] };

/** What happened to one item. */
export interface Observed {
  /** `rejected`: the module did not load. */
  readonly kind: Verdict['kind'] | 'rejected';
  /** The verdict without its fuel, or why the module did not load, as JSON. */
  readonly text: string;
  /** What the tool returned: a text as it is, anything else as JSON text. */
  readonly returned?: string;
  readonly fuel: number;
  /** From loading to the verdict. */
  readonly tookMs: number;
  /** Verdict and fuel of the same call in the next episode. */
  readonly again: string;
  readonly first: string;
  /** What the second tool said before and after, fuel included. */
  readonly witness: readonly [before: string, after: string];
}

/** Modules are strict. Code that only a sloppy function may hold is made one inside the guest. */
export type Dialect = 'strict' | 'sloppy';

/**
 * An environment whose tool `attack` runs the code and gives its result as JSON text, and whose tool `witness` tells
 * what the guest's own realm looks like. What JSON cannot say goes to the dispatcher as it is.
 */
export function attackModule(code: string, dialect: Dialect): string {
  const body = dialect === 'strict' ? `function (args) {\n${code}\n}` : `Function('args', ${JSON.stringify(code)})`;
  return `
const $stringify = JSON.stringify, $keys = Reflect.ownKeys, $Promise = Promise;
const $body = ${body};
const $places = [globalThis, Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Error, \
Promise, Map, Set, WeakMap, RegExp, Date, Proxy, Uint8Array, ArrayBuffer]
  .flatMap((place) => [place, place.prototype]).concat(JSON, Math, Reflect).filter((place) => place !== undefined);
export const meta = { title: 'Attack', task: 'None.', watch: 'Nothing.', rewards: { score: { description: \
'Score.', weight: 1 } }, options: [], alphabet: 'a', examples: [] };
export const tools = [
  { name: 'attack', description: 'Attacks.', parameters: {}, execute(args) {
    const result = $body(args);
    if (typeof result === 'string' || result instanceof $Promise) return result;
    const json = $stringify(result);
    return typeof json === 'string' ? { text: json } : result;
  } },
  { name: 'witness', description: 'Looks.', parameters: {}, execute(args) {
    let inherited = '';
    for (const name in {}) inherited += name;
    return [args.s, inherited, [3, 1, 2].sort().map(String), typeof Math.random(), Math.random()].join() + \
$places.map((place) => $keys(place).map(String).join()).join(';');
  } },
];
export const tasks = () => ({ prompt: '' });
export const reward = () => ({ success: false, score: 0 });
`;
}

/**
 * Runs the code as strict code, as in every environment. The corpus knows functions that are not: what only strictness
 * has refused or failed is run again as sloppy.
 * @param accepted outcomes that need no second look
 */
export async function observe(sandbox: Sandbox, code: string, accepted: readonly string[]): Promise<Observed> {
  const strict = await observeDialect(sandbox, code, 'strict');
  if (accepted.includes(strict.kind) || (strict.kind !== 'error' && strict.kind !== 'rejected')) return strict;
  return observeDialect(sandbox, code, 'sloppy');
}

async function observeDialect(sandbox: Sandbox, code: string, dialect: Dialect): Promise<Observed> {
  const startMs = performance.now();
  const problem = await load(sandbox, attackModule(code, dialect));
  if (problem !== null) return rejected(problem, performance.now() - startMs);
  const loadMs = performance.now() - startMs;
  const before = JSON.stringify(await ask(sandbox, 'witness', 0));
  const askedMs = performance.now();
  const verdict = await ask(sandbox, 'attack', 1);
  const tookMs = loadMs + performance.now() - askedMs;
  const again = JSON.stringify(await ask(sandbox, 'attack', 2));
  const after = JSON.stringify(await ask(sandbox, 'witness', 3));
  const { fuel: burnt, ...rest } = verdict;
  const text = JSON.stringify(rest);
  return {
    kind: verdict.kind,
    text,
    ...returnedBy(verdict),
    fuel: burnt,
    tookMs,
    first: JSON.stringify(verdict),
    again,
    witness: [before, after],
  };
}

async function load(sandbox: Sandbox, source: string): Promise<string | null> {
  try {
    await sandbox.load(source);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function rejected(problem: string, tookMs: number): Observed {
  return {
    kind: 'rejected',
    text: JSON.stringify(problem),
    fuel: 0,
    tookMs,
    first: problem,
    again: problem,
    witness: ['', ''],
  };
}

async function ask(sandbox: Sandbox, tool: string, episode: number): Promise<Verdict> {
  const args = { tool, arguments: attackArgs, task: null, state: null } satisfies Json;
  const [verdict] = await sandbox.call([{ episode, seed: 1, method: 'execute', args, fuel }]);
  return verdict;
}

function returnedBy(verdict: Verdict): { returned?: string } {
  return verdict.kind === 'value' ? { returned: (verdict.value as { text: string }).text } : {};
}
