/**
 * Makes links of the corpus' payloads and says what became of them. The payload is our packed part, whatever it is; a
 * text that is no packed part may be a whole link as well, and is tried as both. Opens nothing itself.
 */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { configProblems, parseConfig } from '../../src/config/config';
import { openRunLink, type OpenedLink } from '../../src/config/run-link';
import { presetByName } from '../../src/config/presets';
import { toBase64Url } from '../../src/share/base64url';
import { maxLinkCharacters } from '../../src/share/link';
import type { Check, Outcome } from './corpus';
import { timeSlack } from './judge';

const head = 'v=1&preset=calculator-mini&seed=7';
const base = parseConfig({ ...presetByName('calculator-mini').config, seed: 7 });
/** What a link may take to open, on a quiet machine. */
const openMs = 200;

export interface LinkCase {
  readonly link: string;
  /** Whether the check's outcome holds for it; else only that nothing comes of it. */
  readonly literal: boolean;
}

/** An opened link and how long that took; from Node or from a page. */
export interface Opened {
  readonly opened: OpenedLink;
  readonly tookMs: number;
}

/**
 * The corpus packs with gzip, and our links with raw deflate, so such an item ends at the first step. It is made a
 * second time with the format of ours, where it gets as far as it can.
 */
export async function linksOf(code: string): Promise<LinkCase[]> {
  const literal = casesOf(await payloadOf(code, gzip), true);
  const reaching = casesOf(await payloadOf(code, deflateRaw), false);
  return [...literal, ...reaching.filter(({ link }) => literal.every((each) => each.link !== link))];
}

const gzip = (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes));
const deflateRaw = (bytes: Uint8Array) => new Uint8Array(deflateRawSync(bytes));

/** Parts of a link as ours write it. */
const valid = {
  source: 'export const meta = {};',
  curve: 'A'.repeat(86),
  reached: 9,
  fingerprint: ['0123456789abcdef'],
  adapter: 'a GPU',
};

/** Helpers take text where they mean its bytes. */
const bytesOf = (data: Uint8Array | string) => (typeof data === 'string' ? new TextEncoder().encode(data) : data);

async function payloadOf(code: string, packer: typeof gzip): Promise<unknown> {
  const h = {
    valid: () => forgiving(structuredClone(valid)),
    utf8: bytesOf,
    gzip: (data: Uint8Array | string) => packer(bytesOf(data)),
    deflateRaw: (data: Uint8Array | string) => deflateRaw(bytesOf(data)),
    b64url: (data: Uint8Array | string) => toBase64Url(bytesOf(data)),
    json: (value: unknown) => JSON.stringify(value),
  };
  // The corpus is ours or named by whoever runs the tests; its links are made by code.
  return await (new Function('h', code) as (helpers: typeof h) => unknown)(h);
}

/** Items may set, call or spread parts that links of ours do not have: these come into being, as unknown parts. */
function forgiving(parts: Record<string, unknown>): Record<string, unknown> {
  return new Proxy(parts, {
    get: (target, key) =>
      typeof key === 'symbol' || key === 'toJSON' || key in target
        ? (Reflect.get(target, key) as unknown)
        : (target[key] = unknownPart()),
  });
}

function unknownPart(): unknown {
  const own: Record<string, unknown> = {};
  return new Proxy(() => unknownPart(), {
    get(_, key) {
      if (key === 'toJSON') return () => own;
      if (key === Symbol.iterator) return () => [].values();
      if (key === 'toString' || key === 'valueOf') return () => '';
      return typeof key === 'symbol' ? undefined : (own[key] ??= unknownPart());
    },
    set: (_, key, value) => Reflect.set(own, key, value),
  });
}

function casesOf(payload: unknown, literal: boolean): LinkCase[] {
  if (payload instanceof Uint8Array) return [{ link: `${head}&x=${toBase64Url(payload)}`, literal }];
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  if (/^[\w-]*$/.test(text)) return [{ link: `${head}&x=${text}`, literal }];
  if (/^[^&]*[#?].*=|^v=/.test(text)) return [{ link: text, literal }];
  return [
    { link: `${head}&x=${text}`, literal: false },
    { link: `${head}&x=${encodeURIComponent(text.toWellFormed())}`, literal },
  ];
}

/** What is wrong with how a link was opened. @param where names the host in the sentences */
export async function linkFaults(
  check: Check,
  { link, literal }: LinkCase,
  { opened, tookMs }: Opened,
  where: string,
): Promise<string[]> {
  const faults: string[] = [];
  const requireThat = (holds: boolean, sentence: string) => {
    if (!holds)
      faults.push(`${where}: ${sentence} (${link.slice(0, 120)} gave ${JSON.stringify(opened).slice(0, 400)})`);
  };
  const outcome = outcomeOf(opened);
  if (literal && !isOurs(opened))
    requireThat(isAccepted(outcome, check.outcome), `the link is ${outcome}, expected ${check.outcome.join(' or ')}`);
  requireThat(
    tookMs < timeSlack * Math.min(openMs, check.maxMs ?? openMs),
    `it took ${Math.round(tookMs)} ms, the most is ${openMs}`,
  );
  requireThat(configProblems(opened.config).length === 0, 'the config is not valid');
  for (const needle of check.never ?? [])
    requireThat(!JSON.stringify([opened.problem, ...opened.notices]).includes(needle), `${needle} was seen`);
  requireThat(opened.notices.length <= 13, 'there is more to read than anyone reads');
  // Without its packed part, the link must have given the same settings: nothing but source, curve, digests and adapter
  // comes from there.
  const bare = await openRunLink(link.length > maxLinkCharacters ? '' : link.replace(/&x=[^]*/, ''));
  const { source, ...environment } = opened.config.environment;
  // An environment that the link brings borrows no rewards and no options from the preset's.
  const lent = { ...bare.config, rewards: {}, environment: { ...bare.config.environment, options: {} } };
  const expected = source === undefined ? bare.config : lent;
  const same = JSON.stringify({ ...opened.config, environment }) === JSON.stringify(expected);
  requireThat(same, 'the packed part has changed the settings');
  if (link.startsWith(head) && link.length <= maxLinkCharacters)
    requireThat(JSON.stringify(bare.config) === JSON.stringify(base), 'the settings are not the preset’s');
  return faults;
}

/** What an attack on another container makes of a link is, now and then, a link as ours are. */
function isOurs({ config, reached, fingerprint, adapter }: OpenedLink): boolean {
  const parts = { source: config.environment.source, curve: valid.curve, reached, fingerprint, adapter };
  return JSON.stringify(parts) === JSON.stringify(valid);
}

/** A refusal is as good as no heed, and a link that nothing was taken from is open without effect. */
function isAccepted(outcome: ReturnType<typeof outcomeOf>, accepted: readonly Outcome[]): boolean {
  if (accepted.includes(outcome)) return true;
  return outcome === 'rejected'
    ? accepted.includes('ignored')
    : outcome === 'ignored' && accepted.includes('accepted-inert');
}

function outcomeOf({
  config,
  validation,
  curve,
  reached,
  fingerprint,
  adapter,
  problem,
}: OpenedLink): 'accepted-inert' | 'rejected' | 'ignored' {
  if (
    [config.environment.source ?? null, validation, curve, reached, fingerprint, adapter].some((part) => part !== null)
  )
    return 'accepted-inert';
  return problem === null ? 'ignored' : 'rejected';
}
