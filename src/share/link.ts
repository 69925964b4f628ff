/**
 * The share link: everything after `#/lab?`. Readable settings that differ from the preset's, and one packed blob:
 *
 *   v=1&ev=0.1.0&preset=calculator&seed=7&lr=3e-4&x=<base64url(deflate-raw(JSON))>
 *
 * `v` is the link's format, `ev` the engine that made it. Reading never throws, whatever the text: what cannot be used is
 * left out and said in a notice. Knows no setting by name: scalars are opaque here, and `rl` clamps them.
 */
import { plainText, quoted } from '../lib/plain-text';
import { curveFromBytes, curveToBytes } from './curve';
import { fromBase64Url, toBase64Url } from './base64url';
import { packBlob, unpackBlob, type LinkBlob } from './blob';

const format = '1';

/** Longest link in characters, written or read. */
export const linkLimit = 48_000;

/** Longest name of an engine that is shown, in characters. */
const nameLimit = 32;

const reserved = new Set(['v', 'ev', 'preset', 'x']);

export interface LinkContents {
  readonly preset: string;
  readonly engineVersion: string;
  /** Settings by short key, seed included. */
  readonly scalars: Readonly<Record<string, string>>;
  readonly source?: string;
  /** Success per iteration so far, 0 … 1; resampled to 64 points. */
  readonly curve?: readonly number[];
  /** Hex digests of the first iterations. */
  readonly fingerprint?: readonly string[];
  readonly adapter?: string;
}

/** A link as read. Absent parts are null; `curve` is 64 points spread evenly over `reached` iterations. */
export interface DecodedLink {
  readonly preset: string | null;
  readonly engineVersion: string | null;
  readonly scalars: Readonly<Record<string, string>>;
  readonly source: string | null;
  readonly curve: readonly number[] | null;
  readonly reached: number | null;
  readonly fingerprint: readonly string[] | null;
  readonly adapter: string | null;
  /** Sentences: what was left out, and why. */
  readonly notices: readonly string[];
}

/** Writes a link. Throws a sentence if it would be longer than anything may read. */
export async function encodeLink(contents: LinkContents): Promise<string> {
  const { preset, engineVersion, scalars } = contents;
  const readable = [['v', format], ['ev', engineVersion], ['preset', preset], ...Object.entries(scalars)];
  const head = readable.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  const blob = toBlob(contents);
  const link = Object.keys(blob).length === 0 ? head : `${head}&x=${await packBlob(blob)}`;
  if (link.length > linkLimit)
    throw new Error(
      `This run needs a link of ${link.length} characters and ${linkLimit} is the limit; shorten the environment's source or share the run as a file.`,
    );
  return link;
}

/** Reads a link: the whole address, its hash, or only what follows the question mark. */
export async function decodeLink(text: string): Promise<DecodedLink> {
  const none = { preset: null, engineVersion: null, scalars: {}, ...fromBlob({}) };
  if (text.length > linkLimit)
    return { ...none, notices: [`This link has ${text.length} characters and ${linkLimit} is the limit; it was not read.`] };
  const { parameters, notices } = readParameters(text);
  const version = parameters.get('v');
  if (version !== undefined && version !== format)
    return { ...none, notices: ['This link was made by a version with another link format; it was not read.'] };
  const scalars = Object.fromEntries([...parameters].filter(([key]) => !reserved.has(key)));
  const engineVersion = parameters.get('ev');
  const head = {
    preset: parameters.get('preset') ?? null,
    engineVersion: engineVersion === undefined ? null : plainText(engineVersion, nameLimit),
    scalars,
  };
  const packed = parameters.get('x');
  if (packed === undefined) return { ...head, ...fromBlob({}), notices };
  const blob = await unpackBlob(packed);
  if ('problem' in blob)
    return {
      ...head,
      ...fromBlob({}),
      notices: [`The packed part of this link was left out: ${blob.problem}. The readable settings are used.`, ...notices],
    };
  return { ...head, ...fromBlob(blob), notices };
}

/** Parameters by key, and a sentence for each key that stands there more than once. A Map, so that no key means anything to JavaScript. */
function readParameters(text: string): { parameters: ReadonlyMap<string, string>; notices: string[] } {
  const hash = text.slice(text.lastIndexOf('#') + 1);
  const query = hash.slice(hash.indexOf('?') + 1);
  const parameters = new Map<string, string>();
  const repeated = new Set<string>();
  if (query.includes('=')) {
    for (const [key, value] of new URLSearchParams(query)) {
      if (parameters.has(key)) repeated.add(key);
      else parameters.set(key, value);
    }
  }
  return { parameters, notices: [...repeated].map((key) => `This link says ${quoted(key)} more than once; the first is used.`) };
}

function toBlob({ source, curve, fingerprint, adapter }: LinkContents): LinkBlob {
  return {
    ...(source === undefined ? {} : { source }),
    ...(curve === undefined || curve.length === 0 ? {} : { curve: toBase64Url(curveToBytes(curve)), reached: curve.length }),
    ...(fingerprint === undefined || fingerprint.length === 0 ? {} : { fingerprint: [...fingerprint] }),
    ...(adapter === undefined ? {} : { adapter: adapter.slice(0, 120) }),
  };
}

function fromBlob({
  source,
  curve,
  reached,
  fingerprint,
  adapter,
}: LinkBlob): Pick<DecodedLink, 'source' | 'curve' | 'reached' | 'fingerprint' | 'adapter'> {
  const bytes = curve === undefined ? null : fromBase64Url(curve);
  return {
    source: source ?? null,
    curve: bytes && curveFromBytes(bytes),
    reached: reached ?? null,
    fingerprint: fingerprint ?? null,
    adapter: adapter === undefined ? null : plainText(adapter, 120),
  };
}
