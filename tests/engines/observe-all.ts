/** What each item of the attack corpus gives in the engine that runs this: the same text and the same fuel everywhere, or a limit is not a limit. */
import { sdkSource } from '../../src/environments/built-in';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import type { Item } from '../attacks/corpus';
import { observe } from '../attacks/tool-item';

/** An item's name → its verdict as JSON, fuel included. */
export type Observations = Record<string, string>;

/** Longest verdict that is kept whole; of a longer one, its length and digest. */
const wholeLength = 300;

export async function observeAll(binary: WebAssembly.Module, items: readonly Item[]): Promise<Observations> {
  const sandbox = new LocalSandbox({ binary, sdk: sdkSource });
  const observations: Observations = {};
  for (const item of items) {
    const { first, again } = await observe(sandbox, item.code, item.check.outcome);
    observations[item.name] = again === first ? await shortened(first) : `at first ${first}, then ${again}`;
  }
  return observations;
}

async function shortened(text: string): Promise<string> {
  if (text.length <= wholeLength) return text;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const fuel = /"fuel":\d+/.exec(text.slice(-30))?.[0] ?? 'no fuel';
  return `${text.slice(0, wholeLength)}… (${text.length} characters, sha256 ${hex}, ${fuel})`;
}
