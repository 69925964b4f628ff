/** What an item's check says against what was observed: one sentence for each thing that is not as it should be. */
import { isDeepStrictEqual } from 'node:util';
import type { Check, Outcome } from './corpus';
import type { Observed } from './tool-item';

/** Machines that run tests are shared and slow; the bars themselves are for a quiet one. */
export const timeSlack = 3;
const usualMs = 2000;
/** Largest verdict that the contract lets through: 64 KiB of JSON, escaped once more, and its frame. */
const usualBytes = 150_000;

/** @param where names the host in the sentences */
export function faultsOf(check: Check, observed: Observed, where: string): string[] {
  const { kind, text, returned, tookMs, first, again, witness } = observed;
  const faults: string[] = [];
  const requireThat = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(`${where}: ${sentence} (${text.slice(0, 300)})`);
  };
  requireThat(isAccepted(kind, check.outcome), `the outcome is ${kind}, expected ${check.outcome.join(' or ')}`);
  if ('value' in check && returned !== undefined)
    requireThat(says(returned, check.value), `the value differs from ${JSON.stringify(check.value)}`);
  for (const needle of check.never ?? []) requireThat(!text.includes(needle), `${needle} was seen`);
  const { maxMs = usualMs, maxBytes = usualBytes } = check;
  requireThat(tookMs < timeSlack * maxMs, `it took ${Math.round(tookMs)} ms, the most is ${maxMs}`);
  requireThat(new TextEncoder().encode(text).length <= maxBytes, `the verdict is longer than ${maxBytes} bytes`);
  // Whatever the item asks for: a call is a function of code, arguments and seed, and leaves no trace.
  requireThat(again === first, `a second call gave something else: ${again.slice(0, 300)}`);
  requireThat(
    witness[0] === witness[1],
    `the guest was another afterwards: ${witness[1].slice(0, 300)} for ${witness[0].slice(0, 300)}`,
  );
  requireThat(
    kind === 'rejected' || witness[0].startsWith('{"kind":"value"') || witness[0].includes('"kind":"value"'),
    `the guest did not work: ${witness[0]}`,
  );
  return faults;
}

/** Code that does not load has run nothing, which is more than an error or a stop would give. */
function isAccepted(kind: Observed['kind'], outcome: readonly Outcome[]): boolean {
  return outcome.includes(kind) || (kind === 'rejected' && (outcome.includes('error') || outcome.includes('killed')));
}

function says(returned: string, value: unknown): boolean {
  if (returned === value) return true;
  try {
    return isDeepStrictEqual(JSON.parse(returned), value);
  } catch {
    return false;
  }
}
