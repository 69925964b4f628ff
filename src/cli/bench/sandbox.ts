/**
 * The sandbox's part of the benchmark: small tool calls through batched messages to one worker, with the metered engine
 * and the unmetered engine in turns; the time to make and to reset a guest; and the time of a call that burns all
 * its fuel.
 */
import type { Json } from '../../agent/types';
import { fuelLimits, type SandboxRequest } from '../../agent/sandbox';
import { sdkSource } from '../../environments/built-in';
import { median } from '../../lib/median';
import dispatcherSource from '../../sandbox/dispatcher.js?raw';
import { Guest, guestModules } from '../../sandbox/guest';
import { limits } from '../../sandbox/limits';
import { QuickJs } from '../../sandbox/quickjs';
import { WorkerPool, type SandboxWorker } from '../../sandbox/worker-pool';

export interface Engines {
  readonly metered: Uint8Array<ArrayBuffer>;
  readonly unmetered: Uint8Array<ArrayBuffer>;
}

/** Calls a second, 64 a message. */
export interface CallRate {
  /** All calls of a message belong to one episode. */
  readonly oneEpisode: number;
  /** Each call of a message is an episode of its own, with a reset before it. */
  readonly manyEpisodes: number;
}

export interface SandboxTimes {
  readonly callsPerSecond: CallRate;
  /** The same with an engine that counts nothing. */
  readonly unmetered: CallRate;
  readonly resetUs: number;
  /** A guest from a compiled engine and source text. */
  readonly createMs: number;
  /** A call that burns the usual limit, and one that burns the largest. */
  readonly fuelLimitedMs: { readonly call: number; readonly largest: number };
}

const callsPerMessage = 64;
const messages = 40;
const rounds = 7;

const gridSource = `
const rows = ['........', '.##.#...', '....#.#.', '.#....#.', '.#.##...', '......#.', '.###....', '........'];
const steps = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
const isFree = (x, y) => rows[y]?.[x] === '.';
export const meta = {
  title: 'Grid', task: 'Walk.', watch: 'It.', options: [], alphabet: ' ', examples: [],
  rewards: { goal: { description: 'There.', weight: 1 } },
};
export const tools = [{
  name: 'move', description: 'One step.', parameters: {},
  execute({ direction }, { state }) {
    const [x, y] = state;
    const [dx, dy] = steps[direction];
    const at = isFree(x + dx, y + dy) ? [x + dx, y + dy] : state;
    return { text: 'at ' + at[0] + ',' + at[1], state: at };
  },
}, {
  name: 'hang', description: 'Never ends.', parameters: {}, execute() { for (;;); },
}];
export const tasks = () => ({ prompt: 'Walk.' });
export const reward = () => 0;
`;
const seen = 'at 3,7';

function request(episode: number, tool: string, more: Partial<SandboxRequest> = {}): SandboxRequest {
  const task: Json = { id: 'a', prompt: 'Walk.', data: null };
  return {
    episode,
    seed: 1,
    method: 'execute',
    args: { tool, arguments: { direction: 'right' }, task, state: [2, 7] },
    ...more,
  };
}

/** @param spawn Starts a sandbox worker. */
export async function benchSandbox(engines: Engines, spawn: () => Promise<SandboxWorker>): Promise<SandboxTimes> {
  const rates = await callRates(engines, spawn);
  const binary = await WebAssembly.compile(engines.metered);
  const makeGuest = () => new Guest(binary, sdkSource, gridSource);
  const createMs = median(repeat(20, () => timeMs(makeGuest)));
  const guest = makeGuest();
  const burn = (fuel: number) => {
    const ms = timeMs(() => {
      const verdict = guest.run(request(0, 'hang', { fuel }));
      if (verdict.kind !== 'killed' || verdict.fuel !== fuel)
        throw new Error(`A call of ${fuel} fuel ended as ${JSON.stringify(verdict)}.`);
    });
    guest.reset();
    return ms;
  };
  const fuelLimitedMs = {
    call: median(repeat(9, () => burn(fuelLimits.call))),
    largest: median(repeat(5, () => burn(fuelLimits.request))),
  };
  return { ...rates, resetUs: resetUs(binary), createMs, fuelLimitedMs };
}

/**
 * Microseconds to restore a guest. Many in a row, since a browser's clock is coarse.
 * @param binary The metered engine, compiled.
 */
export function resetUs(binary: WebAssembly.Module): number {
  const engine = new QuickJs(binary, guestModules(sdkSource));
  engine.refuel(limits.loadFuel);
  engine.evaluateModule(dispatcherSource, 'dispatcher.js');
  engine.evaluateModule(gridSource, 'environment.js');
  const atRest = engine.snapshot();
  const resets = 50;
  return (1000 * median(repeat(25, () => timeMs(() => repeat(resets, () => engine.restore(atRest)))))) / resets;
}

/** Engines and ways take turns, so that other load on the machine affects all alike. */
async function callRates(
  engines: Engines,
  spawn: () => Promise<SandboxWorker>,
): Promise<Pick<SandboxTimes, 'callsPerSecond' | 'unmetered'>> {
  const pools = [engines.metered, engines.unmetered].map(
    (binary) => new WorkerPool({ binary, sdk: sdkSource, createWorker: spawn, size: 1 }),
  );
  const batches = [() => 0, (call: number) => call].map((episodeOf) =>
    Array.from({ length: callsPerMessage }, (_, call) => request(episodeOf(call), 'move')),
  );
  const ms = pools.map(() => batches.map((): number[] => []));
  try {
    await Promise.all(pools.map((pool) => pool.load(gridSource)));
    for (let round = 0; round <= rounds; round++) {
      for (const [p, pool] of pools.entries()) {
        for (const [b, batch] of batches.entries()) {
          const start = performance.now();
          for (let message = 0; message < messages; message++) await send(pool, batch);
          // The first round warms up.
          if (round > 0) ms[p][b].push(performance.now() - start);
        }
      }
    }
  } finally {
    for (const pool of pools) pool.dispose();
  }
  const rate = (times: number[]) => Math.round((1000 * messages * callsPerMessage) / median(times));
  const [callsPerSecond, unmetered] = ms.map(([one, many]) => ({ oneEpisode: rate(one), manyEpisodes: rate(many) }));
  return { callsPerSecond, unmetered };
}

async function send(pool: WorkerPool, batch: readonly SandboxRequest[]): Promise<void> {
  const verdicts = await pool.call(batch);
  const wrong = verdicts.find(
    (verdict) => verdict.kind !== 'value' || (verdict.value as { text: string }).text !== seen,
  );
  if (wrong !== undefined) throw new Error(`A tool call answered ${JSON.stringify(wrong)}, expected "${seen}".`);
}

function timeMs(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const repeat = <T>(times: number, work: () => T): T[] => Array.from({ length: times }, work);
