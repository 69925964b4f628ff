/** One environment in one guest: loads the module, takes the snapshot, and answers each request under its limit. */
import { maxJsonDepth, nestsDeeperThan, type Json } from '../lib/json';
import { plainText } from '../lib/plain-text';
import type { SplitRows } from '../agent/rows';
import type { KillReason, SandboxRequest, Verdict } from '../agent/sandbox';
import dispatcherSource from './dispatcher.js?raw';
import valuesSource from './values.js?raw';
import { fuelOf, limits } from './limits';
import { GuestStopped, GuestThrew, QuickJs, type Handle, type Snapshot } from './quickjs';

/**
 * Specifier → source of every module that code in a guest can import: the SDK's, and the dispatcher's own.
 * @param sdk Specifier → source of the modules that environments can import.
 */
export const guestModules = (sdk: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries({ ...sdk, './values.js': valuesSource }));

export class Guest {
  private readonly engine: QuickJs;
  private readonly dispatch: Handle;
  private readonly atRest: Snapshot;
  private untouched = true;

  /**
   * @param binary The metered quickjs.wasm, compiled.
   * @param sdk Specifier → source of the modules that environments can import.
   * @param source Source of the environment module. Throws a sentence if it cannot be loaded.
   * @param rows What tasks are made from.
   */
  constructor(binary: WebAssembly.Module, sdk: Readonly<Record<string, string>>, source: string, rows?: SplitRows) {
    const sizeBytes = new TextEncoder().encode(source).length;
    if (sizeBytes > limits.codeBytes)
      throw new Error(`The environment is ${sizeBytes} bytes of code; the most is ${limits.codeBytes}.`);
    this.engine = new QuickJs(binary, guestModules(sdk));
    try {
      this.engine.refuel(limits.loadFuel);
      const dispatcher = this.engine.evaluateModule(dispatcherSource, 'dispatcher.js');
      if (rows !== undefined) this.hold(rows, dispatcher);
      this.engine.refuel(limits.loadFuel);
      const environment = this.engine.evaluateModule(source, 'environment.js');
      this.dispatch = this.engine.call(this.engine.property(dispatcher, 'bind'), environment);
    } catch (error) {
      throw new Error(`The environment cannot be loaded: ${loadProblem(error, Object.keys(sdk))}.`, { cause: error });
    }
    this.atRest = this.engine.snapshot();
  }

  /** Before the environment runs, so the fuel of parsing is the host's. */
  private hold(rows: SplitRows, dispatcher: Handle): void {
    this.engine.refuel(limits.rowsFuel);
    const holdRows = this.engine.property(dispatcher, 'holdRows');
    try {
      for (const list of [rows.train, rows.validation]) this.engine.callWithText(holdRows, list);
    } catch (error) {
      if (stopReason(error) !== 'memory') throw error;
      throw new GuestThrew('its rows need more memory than the sandbox has; give it fewer', { cause: error });
    }
  }

  /** Restores the snapshot that was taken after loading. */
  reset(): void {
    if (this.untouched) return;
    this.engine.restore(this.atRest);
    this.untouched = true;
  }

  /** Answers one request; after `killed` the guest must be reset. */
  run({ seed, method, args, fuel }: SandboxRequest): Verdict {
    this.untouched = false;
    this.engine.refuel(fuelOf(method, fuel));
    const outcome = this.answer(JSON.stringify({ seed, method, args }));
    return { ...outcome, fuel: this.engine.burnt };
  }

  private answer(request: string): Outcome {
    try {
      const answer = this.engine.callText(this.dispatch, request);
      if (answer.startsWith('=')) return readJson(answer.slice(1));
      return readError(answer);
    } catch (error) {
      const stopped = stopReason(error);
      return stopped !== null
        ? { kind: 'killed', reason: stopped }
        : { kind: 'error', message: (error as Error).message };
    }
  }
}

/** A verdict before its fuel is read. */
type Outcome = Verdict extends infer Each ? (Each extends Verdict ? Omit<Each, 'fuel'> : never) : never;

/** Parses `-` and the message of a ToolError, or `!`, the environment's line if known, a newline and the error. */
function readError(answer: string): Outcome {
  const [, mark, place, text] = /^(?:(-)|!(environment\.js:\d+(?::\d+)?)?\n)?([^]*)$/.exec(answer)!;
  const message = text.slice(0, limits.messageLength);
  if (mark) return { kind: 'error', message, refused: true };
  const stopped = passedOn(message);
  if (stopped !== null) return { kind: 'killed', reason: stopped };
  return { kind: 'error', message, ...(place && { place }) };
}

/**
 * Fuel and depth always stop a guest. Full memory and a full stack are errors that its code may catch; an uncaught one
 * stops it too, since its work is half done.
 */
function passedOn(text: string): KillReason | null {
  if (/^InternalError: out of memory/.test(text)) return 'memory';
  return /^(RangeError|InternalError): (Maximum call stack size exceeded|stack overflow)/.test(text) ? 'stack' : null;
}

function stopReason(error: unknown): KillReason | null {
  if (error instanceof GuestStopped) return error.reason;
  if (error instanceof GuestThrew) return passedOn(error.message);
  throw error;
}

/** @param importable specifiers of the modules that can be imported */
function loadProblem(error: unknown, importable: readonly string[]): string {
  const reason = stopReason(error);
  if (reason !== null) return `it was stopped (${reason})`;
  const message = plainText((error as Error).message, limits.messageLength);
  return message.includes('could not load module') ? `${message}; it can import ${importable.join(', ')}` : message;
}

/** The guest's reply as JSON, or an error. The caller checks what it means. */
function readJson(text: string): Outcome {
  try {
    const value = JSON.parse(text) as Json;
    if (!nestsDeeperThan(value)) return { kind: 'value', value };
    return { kind: 'error', message: `the result nests deeper than ${maxJsonDepth} levels` };
  } catch {
    // Engines word their reasons differently, and an observation must be the same everywhere.
    return { kind: 'error', message: 'the result is not JSON' };
  }
}
