/**
 * Limits of a guest; fuel of requests is in agent/sandbox.ts. Limits count work or bytes, never time, so code stops at
 * the same point on every machine. A unit of fuel is one turn of a loop in the engine, its own loops over arrays, text
 * and memory included; 1 M takes 5 to 20 ms on a desktop.
 */
import { fuelLimits } from '../agent/sandbox';
import { assert } from '../lib/assert';
import { maxCodeBytes } from '../lib/text-caps';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

export const limits = {
  /** Evaluating the dispatcher, the SDK and the environment's module. */
  loadFuel: 20_000_000,
  /** Parsing the rows of an environment: more than their greatest number of bytes needs. */
  rowsFuel: 200_000_000,
  /**
   * Units of depth: 64, and 8 for each local, of every engine frame in a recursion. About 500 calls of guest code,
   * which fits the smallest stack of a browser's worker, so that no browser overflows earlier.
   */
  depth: 256 * kibibyte,
  /** Bytes QuickJS may allocate. The module itself ends at 64 MiB of linear memory. */
  heapBytes: 32 * mebibyte,
  /** QuickJS's own stack, inside linear memory. */
  stackBytes: 192 * kibibyte,
  codeBytes: maxCodeBytes,
  inputBytes: 64 * kibibyte,
  outputBytes: 64 * kibibyte,
  messageLength: 500,
} as const;

/** Fuel of one request. @param asked the request's own limit, if any */
export function fuelOf(method: string, asked: number | undefined): number {
  const fuel = asked ?? (method === 'execute' || method === 'reward' ? fuelLimits.call : fuelLimits.request);
  assert(Number.isSafeInteger(fuel) && fuel >= 0, () => `a request has ${fuel} fuel, expected an integer from 0`);
  return Math.min(fuel, fuelLimits.request);
}
