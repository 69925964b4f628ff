/**
 * The contract between the agent loop and whatever runs environment code. JSON in, JSON out, in batches of
 * episodes. Implementations live in `src/sandbox`; this file runs nothing.
 */
import type { Json } from '../lib/json';

/**
 * Units of work, counted inside the engine: a unit is one turn of one of its loops. Of the built-in environments no
 * call takes an eighth of its limit; 16 tasks and a demonstration are larger pieces of work that come seldom, hence the
 * larger limit of every other request.
 */
export const fuelLimits = {
  /** One `execute` or `reward`, unless the request brings its own. */
  call: 2_000_000,
  /** Any request. */
  request: 20_000_000,
  /** All calls and the reward of one episode. */
  episode: 200_000_000,
} as const;

/** Most episodes of one batch: a run that is to pause waits for no more. Verdicts do not depend on it. */
export const episodesPerBatch = 32;

/** A function of the environment module to call. */
export interface SandboxRequest {
  /** Requests of one episode run in one guest in order; a guest is reset to its snapshot before another episode's. */
  readonly episode: number;
  /** Seeds the guest's `Math.random`. */
  readonly seed: number;
  /** Name of a function that the SDK's dispatcher knows: `describe`, `tasks`, `execute`, `reward`, `demonstrate`. */
  readonly method: string;
  readonly args: Json;
  /**
   * Most fuel this request may burn, up to `fuelLimits.request`. If left out: `fuelLimits.call` for `execute` and
   * `reward`, else that.
   */
  readonly fuel?: number;
}

/**
 * Which limit a guest ran into. Every limit counts work or bytes, never time, so it is the same on every machine. Out
 * of fuel and too deep stop it for good; full memory and a full stack are errors to its own code, and stop it where
 * that does not catch them.
 */
export type KillReason = 'fuel' | 'depth' | 'memory' | 'stack' | 'trap';

/**
 * A value, an error the environment's code threw, or the limit at which the guest was stopped; and the fuel burnt until
 * then. `place` is the line of the environment that threw; `refused` says that a tool threw a ToolError, so nothing is
 * wrong with it.
 */
export type Verdict = { readonly fuel: number } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'error'; readonly message: string; readonly place?: string; readonly refused?: true }
  | { readonly kind: 'killed'; readonly reason: KillReason }
);

export interface Sandbox {
  /**
   * Loads a module's source into every guest and takes the snapshot each episode starts from. Throws a sentence if it
   * cannot.
   */
  load(source: string): Promise<void>;
  /**
   * Verdicts in the order of the requests. Rejects for nothing that guest code can do under its limits; a rejection is
   * a sentence about the sandbox itself (it fell silent, it died too often) and ends the run, for no time may become an
   * observation.
   */
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]>;
  dispose(): void;
}
