/**
 * The share link: everything after `#/lab?`. Readable settings that differ from the preset's, and one packed blob:
 *
 *   v=1&ev=0.1.0&preset=calculator&from=share&seed=7&lr=3e-4&x=<base64url(deflate-raw(JSON))>
 *
 * `v` is the link's format, `ev` the engine that made it; `from=share` marks a link that somebody sent, as opposed to
 * the page's own address. Reading never throws: an invalid part becomes a notice, an unusable link has a problem.
 * Settings are opaque here; `rl` clamps them.
 */
import { evenly } from '../lib/evenly';
import { plainText, quoted } from '../lib/plain-text';
import { curveFromBytes } from './curve';
import { fromBase64Url } from './base64url';
import { maxPoints, packBlob, unpackBlob, type LinkBlob } from './blob';

const format = '1';

/** Of a link that is written or read. */
export const maxLinkCharacters = 48_000;

/** Of an engine's name. */
const maxNameCharacters = 32;

const reserved = new Set(['v', 'ev', 'preset', 'from', 'x']);

/** Success on unseen tasks after an iteration. */
export interface ValidationPoint {
  readonly iteration: number;
  /** 0 … 1. */
  readonly success: number;
}

export interface LinkContents {
  readonly preset: string;
  readonly engineVersion: string;
  /** Somebody sends it to another person. */
  readonly shared: boolean;
  /** Settings by short key, seed included. */
  readonly scalars: Readonly<Record<string, string>>;
  readonly source?: string;
  /** JSON lines that tasks are made from. */
  readonly rows?: string;
  /** Names rows that the link does not carry. */
  readonly rowsDigest?: string;
  /** Names a pretrained model, of which the link carries nothing. */
  readonly pretrained?: string;
  /** JSON lines of rounds to imitate. */
  readonly rounds?: string;
  /** Ascending; more than 64 are thinned evenly, with both ends. */
  readonly validation?: readonly ValidationPoint[];
  /** Hex digests of the first iterations. */
  readonly fingerprint?: readonly string[];
  readonly adapter?: string;
}

/** A parsed link. Absent parts are null. */
export interface DecodedLink {
  /** A sentence: why the link cannot be used. The other fields are what could still be read. */
  readonly problem: string | null;
  /** Somebody sent it: it says so, or it has results of a run. */
  readonly shared: boolean;
  readonly preset: string | null;
  readonly engineVersion: string | null;
  readonly scalars: Readonly<Record<string, string>>;
  readonly source: string | null;
  readonly rows: string | null;
  readonly rowsDigest: string | null;
  readonly pretrained: string | null;
  readonly rounds: string | null;
  readonly validation: readonly ValidationPoint[] | null;
  /** Success in practice, in links of earlier versions: 64 points spread evenly over `reached` iterations. */
  readonly curve: readonly number[] | null;
  readonly reached: number | null;
  readonly fingerprint: readonly string[] | null;
  readonly adapter: string | null;
  /** Sentences about ignored parts. */
  readonly notices: readonly string[];
}

/** Writes a link. @throws a sentence if it would be too long */
export async function encodeLink(contents: LinkContents): Promise<string> {
  const { preset, engineVersion, shared, scalars } = contents;
  const from = shared ? [['from', 'share']] : [];
  const readable = [['v', format], ['ev', engineVersion], ['preset', preset], ...from, ...Object.entries(scalars)];
  const head = readable.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  const blob = toBlob(contents);
  const link = Object.keys(blob).length === 0 ? head : `${head}&x=${await packBlob(blob)}`;
  if (link.length > maxLinkCharacters)
    throw new Error(
      `This run needs a link of ${link.length} characters and ${maxLinkCharacters} is the limit; shorten the ` +
        `environment's source, teach by fewer rounds, or share the run as a file.`,
    );
  return link;
}

/** A link of which the packed part is not used, and its settings only for a start. @param problem why: a sentence */
export function withoutPackedPart(link: DecodedLink, problem: string): DecodedLink {
  return { ...link, ...fromBlob({}), problem };
}

/** Reads a link: the whole address, its hash, or only what follows the question mark. */
export async function decodeLink(text: string): Promise<DecodedLink> {
  const none = { preset: null, engineVersion: null, shared: false, scalars: {}, ...fromBlob({}), notices: [] };
  if (text.length > maxLinkCharacters)
    return { ...none, problem: `It has ${text.length} characters and ${maxLinkCharacters} is the limit.` };
  const { parameters, notices } = readParameters(text);
  const version = parameters.get('v');
  if (version !== undefined && version !== format)
    return { ...none, problem: 'It was made by a version with another link format.' };
  const scalars = Object.fromEntries([...parameters].filter(([key]) => !reserved.has(key)));
  const engineVersion = parameters.get('ev');
  const head = {
    preset: parameters.get('preset') ?? null,
    engineVersion: engineVersion === undefined ? null : plainText(engineVersion, maxNameCharacters),
    shared: parameters.get('from') === 'share',
    scalars,
    notices,
  };
  const packed = parameters.get('x');
  if (packed === undefined) return { ...head, ...fromBlob({}), problem: null };
  const blob = await unpackBlob(packed);
  if ('problem' in blob)
    return { ...head, ...fromBlob({}), problem: `Its packed part cannot be used: ${blob.problem}.` };
  const parts = fromBlob(blob);
  const shows = parts.validation !== null || parts.curve !== null || parts.fingerprint !== null;
  return { ...head, ...parts, shared: head.shared || shows, problem: null };
}

/** Parameters by key, and a sentence for each repeated key. A Map, so that no key has a meaning to JavaScript. */
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
  return {
    parameters,
    notices: [...repeated].map((key) => `This link says ${quoted(key)} more than once; the first is used.`),
  };
}

function toBlob(contents: LinkContents): LinkBlob {
  const { source, rows, rowsDigest, pretrained, rounds, validation = [], fingerprint, adapter } = contents;
  return {
    ...(source === undefined ? {} : { source }),
    ...(rows === undefined ? {} : { rows }),
    ...(rowsDigest === undefined ? {} : { rowsDigest }),
    ...(pretrained === undefined ? {} : { pretrained }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(validation.length === 0
      ? {}
      : { validation: evenly(validation, maxPoints).map(({ iteration, success }) => [iteration, shorten(success)]) }),
    ...(fingerprint === undefined || fingerprint.length === 0 ? {} : { fingerprint: [...fingerprint] }),
    ...(adapter === undefined ? {} : { adapter: adapter.slice(0, 120) }),
  };
}

/** Four digits, which are exact enough for shares of up to 4096 tasks. */
const shorten = (share: number): number => Math.round(share * 1e4) / 1e4;

type BlobParts = Pick<
  DecodedLink,
  | 'source'
  | 'rows'
  | 'rowsDigest'
  | 'pretrained'
  | 'rounds'
  | 'validation'
  | 'curve'
  | 'reached'
  | 'fingerprint'
  | 'adapter'
>;

function fromBlob(blob: LinkBlob): BlobParts {
  const { source, rows, rowsDigest, pretrained, rounds, validation, curve, reached, fingerprint, adapter } = blob;
  const bytes = curve === undefined ? null : fromBase64Url(curve);
  return {
    source: source ?? null,
    rows: rows ?? null,
    rowsDigest: rowsDigest ?? null,
    pretrained: pretrained ?? null,
    rounds: rounds ?? null,
    validation: validation?.map(([iteration, success]) => ({ iteration, success })) ?? null,
    curve: bytes && curveFromBytes(bytes),
    reached: reached ?? null,
    fingerprint: fingerprint ?? null,
    adapter: adapter === undefined ? null : plainText(adapter, 120),
  };
}
