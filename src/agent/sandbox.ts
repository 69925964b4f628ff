/**
 * The contract between the agent loop and whatever runs environment code. JSON in, JSON out, in batches:
 * all episodes of a turn travel in one message. Implementations live in `src/sandbox`; this file runs nothing.
 */
import type { Json } from './types';

/** A function of the environment module to call. */
export interface SandboxRequest {
  /** Requests of one episode run in one guest in order; a guest is reset to its snapshot before another episode's. */
  readonly episode: number;
  /** Seeds the guest's `Math.random`. */
  readonly seed: number;
  /** Name of a function that the SDK's dispatcher knows: `describe`, `tasks`, `execute`, `reward`, `demonstrate`. */
  readonly method: string;
  readonly args: Json;
}

/** A value, an error the environment's code threw, or the reason why the guest was stopped. */
export type Verdict =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'killed'; readonly reason: 'time' | 'memory' | 'stack' | 'trap' };

export interface Sandbox {
  /** Loads a module's source into every guest and takes the snapshot each episode starts from. Throws a sentence if it cannot. */
  load(source: string): Promise<void>;
  /** Verdicts in the order of the requests. Never rejects for anything guest code does. */
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]>;
  dispose(): void;
}
