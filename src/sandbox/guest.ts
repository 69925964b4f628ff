/**
 * One environment in one guest: loads the module, keeps the snapshot, and answers requests under a budget. Holds no
 * episode: whoever calls decides when to reset. Knows nothing of batches or workers, nor what an answer must hold.
 */
import { maxJsonDepth, nestsDeeperThan, type Json } from '../lib/json';
import type { SandboxRequest, Verdict } from '../agent/sandbox';
import dispatcherSource from './dispatcher.js?raw';
import { limits } from './limits';
import { GuestStopped, GuestThrew, QuickJs, type Handle, type Snapshot } from './quickjs';

/** Counts polls, so that the same code stops at the same point everywhere, with a deadline under the count. */
class Budget {
  exhausted = false;
  private polls = 0;
  private deadlineMs = 0;

  start(polls: number, limitMs: number): void {
    this.exhausted = false;
    this.polls = polls;
    this.deadlineMs = performance.now() + limitMs;
  }

  poll(): boolean {
    this.exhausted ||= --this.polls < 0 || performance.now() > this.deadlineMs;
    return this.exhausted;
  }
}

export class Guest {
  private readonly budget = new Budget();
  private readonly engine: QuickJs;
  private readonly dispatch: Handle;
  private readonly atRest: Snapshot;

  /**
   * @param binary quickjs.wasm, compiled.
   * @param sdk Source of the module `agentlet`.
   * @param source Source of the environment module. Throws a sentence if it cannot be loaded.
   */
  constructor(binary: WebAssembly.Module, sdk: string, source: string) {
    const sizeBytes = new TextEncoder().encode(source).length;
    if (sizeBytes > limits.codeBytes) throw new Error(`The environment is ${sizeBytes} bytes of code; the most is ${limits.codeBytes}.`);
    this.engine = new QuickJs(binary, { interrupt: () => this.mustStop(), modules: new Map([['agentlet', sdk]]) });
    try {
      this.budget.start(limits.loadPolls, limits.loadMs);
      const dispatcher = this.engine.evaluateModule(dispatcherSource, 'dispatcher.js');
      const environment = this.engine.evaluateModule(source, 'environment.js');
      this.dispatch = this.engine.call(this.engine.property(dispatcher, 'bind'), environment);
    } catch (error) {
      throw new Error(`The environment cannot be loaded: ${this.loadProblem(error)}.`, { cause: error });
    }
    this.atRest = this.engine.snapshot();
  }

  /** Back to how the guest was after loading. */
  reset(): void {
    this.engine.restore(this.atRest);
  }

  /** Answers one request; after `killed` the guest must be reset. */
  run({ seed, method, args }: SandboxRequest): Verdict {
    this.budget.start(limits.requestPolls, limits.requestMs);
    try {
      const answer = this.engine.callText(this.dispatch, JSON.stringify({ seed, method, args }));
      const stopped = this.stopReason(answer);
      if (stopped !== null) return { kind: 'killed', reason: stopped };
      return answer.startsWith('=') ? readJson(answer.slice(1)) : { kind: 'error', message: answer.slice(1, 1 + limits.messageLength) };
    } catch (error) {
      const stopped = this.thrownStopReason(error);
      return stopped !== null ? { kind: 'killed', reason: stopped } : { kind: 'error', message: (error as Error).message };
    }
  }

  private mustStop(): boolean {
    return this.budget.poll() || this.engine.memoryBytes > limits.memoryBytes;
  }

  /** Errors of the engine's own limits reach guest code, which may pass them on as its own; a stop is still a stop. */
  private stopReason(text: string): GuestStopped['reason'] | null {
    if (this.engine.memoryBytes > limits.memoryBytes || /^!?InternalError: out of memory/.test(text)) return 'memory';
    if (this.budget.exhausted) return 'time';
    return /^!?(RangeError|InternalError): (Maximum call stack size exceeded|stack overflow)/.test(text) ? 'stack' : null;
  }

  private thrownStopReason(error: unknown): GuestStopped['reason'] | null {
    if (error instanceof GuestStopped) return error.reason;
    if (error instanceof GuestThrew) return this.stopReason(error.message);
    throw error;
  }

  private loadProblem(error: unknown): string {
    const reason = this.thrownStopReason(error);
    return reason === null ? (error as Error).message : `it was stopped (${reason})`;
  }
}

/** The guest's word is not taken: whatever it says is JSON that any thread can pass on, or an error. What it means is for the caller to check. */
function readJson(text: string): Verdict {
  try {
    const value = JSON.parse(text) as Json;
    if (!nestsDeeperThan(value)) return { kind: 'value', value };
    return { kind: 'error', message: `the result nests deeper than ${maxJsonDepth} levels` };
  } catch (error) {
    return { kind: 'error', message: `the result is not JSON: ${(error as Error).message}`.slice(0, limits.messageLength) };
  }
}
