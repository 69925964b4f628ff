/** The contract of whatever runs environment code: JSON in, JSON out, in batches. `src/sandbox` implements it. */
import type { Json } from '../lib/json';

/**
 * Limits of work. A unit of fuel is one turn of one of the engine's loops. No call of a built-in environment's tool
 * burns an eighth of its limit, and no request for tasks burns half.
 */
export const fuelLimits = {
  /** One `execute` or `reward`, by default. */
  call: 2_000_000,
  /** Any other request, such as 4 tasks or a demonstration. */
  request: 20_000_000,
  /** All calls and the reward of one episode. */
  episode: 200_000_000,
} as const;

/** Maximum episodes of a batch, and so what a pause waits for. Verdicts do not depend on it. */
export const episodesPerBatch = 32;

/** A function of the environment module to call. */
export interface SandboxRequest {
  /** Requests of an episode run in one guest in order; the guest is reset to its snapshot before another episode's. */
  readonly episode: number;
  /** Seeds the guest's `Math.random`. */
  readonly seed: number;
  /** Name of a function that the SDK's dispatcher knows: `describe`, `tasks`, `execute`, `reward`, `demonstrate`. */
  readonly method: string;
  readonly args: Json;
  /** Up to `fuelLimits.request`. Default: `fuelLimits.call` for `execute` and `reward`, else `fuelLimits.request`. */
  readonly fuel?: number;
}

/**
 * The limit that stopped a guest. Limits count work or bytes, never time, so they are the same on every machine. `fuel`
 * and `depth` always stop it; `memory` and `stack` are errors that its code may catch.
 */
export type KillReason = 'fuel' | 'depth' | 'memory' | 'stack' | 'trap';

/**
 * The outcome of a request, with the fuel it burnt. `place` is the line of the environment that threw; `refused` means
 * that a tool threw a ToolError: it declined the call, and is not at fault.
 */
export type Verdict = { readonly fuel: number } & (
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'error'; readonly message: string; readonly place?: string; readonly refused?: true }
  | { readonly kind: 'killed'; readonly reason: KillReason }
);

export interface Sandbox {
  /**
   * Loads a module into every guest and takes the snapshot that each episode starts from.
   * @param rows JSON lines that `tasks` makes tasks from
   * @throws a sentence
   */
  load(source: string, rows?: string): Promise<void>;
  /**
   * @returns verdicts in the order of the requests, whatever guest code does under its limits
   * @throws a sentence about the sandbox itself (it fell silent, it crashed too often), which ends the run
   */
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]>;
  dispose(): void;
}
