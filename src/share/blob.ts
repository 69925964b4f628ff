/**
 * The packed part of a link: JSON of a strict schema, deflated, in base64url. It comes from strangers, so every stage
 * has a cap and an error sentence.
 */
import * as v from 'valibot';
import { joined } from '../lib/joined';
import { quoted } from '../lib/plain-text';
import { maxCodeBytes } from '../lib/text-caps';
import { fromBase64Url, toBase64Url } from './base64url';

/** Of the unpacked JSON. */
export const maxBlobBytes = 256 * 1024;

/** Of rows. */
const maxRowsCharacters = 32_768;

/** Of what names a pretrained model. */
const maxModelCharacters = 1024;

/** Of a success curve. */
export const maxPoints = 64;

const iteration = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000000));

const LinkBlobSchema = v.pipe(
  v.strictObject({
    /** JavaScript of an environment that is not built in. */
    source: v.optional(v.pipe(v.string(), v.maxBytes(maxCodeBytes))),
    /** JSON lines that its tasks are made from. */
    rows: v.optional(v.pipe(v.string(), v.maxLength(maxRowsCharacters))),
    /** Rows that are too large for a link: their number, `-` and the SHA-256 of their file. */
    rowsDigest: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,6}-[0-9a-f]{64}$/))),
    /** A pretrained model by name and digest: JSON within a text, as there is one level of names. */
    pretrained: v.optional(v.pipe(v.string(), v.maxLength(maxModelCharacters))),
    /** JSON lines of rounds that a person played, to imitate. */
    rounds: v.optional(v.string()),
    /** Iterations that were validated, ascending, each with the share of unseen tasks solved. */
    validation: v.optional(
      v.pipe(
        v.array(v.tuple([iteration, v.pipe(v.number(), v.minValue(0), v.maxValue(1))])),
        v.minLength(1),
        v.maxLength(maxPoints),
        v.check((points) => points.every(([at], i) => i === 0 || at > points[i - 1][0])),
      ),
    ),
    /**
     * Links of earlier versions: 64 bytes of success in practice, in base64url, spread evenly over `reached`
     * iterations.
     */
    curve: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/))),
    reached: v.optional(iteration),
    /** Digests of the first iterations. */
    fingerprint: v.optional(
      v.pipe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))), v.minLength(1), v.maxLength(64)),
    ),
    /** Device the author trained on. */
    adapter: v.optional(v.pipe(v.string(), v.maxLength(120))),
  }),
  v.check(({ curve, reached }) => (curve === undefined) === (reached === undefined)),
  v.check(({ curve, validation }) => curve === undefined || validation === undefined),
  v.check(({ rows, rowsDigest }) => rows === undefined || rowsDigest === undefined),
);

export type LinkBlob = v.InferOutput<typeof LinkBlobSchema>;

/** Packs a blob. Its text never ends in punctuation, which chats take for the end of the sentence and cut off. */
export async function packBlob(blob: LinkBlob): Promise<string> {
  const json = JSON.stringify(blob);
  for (let padding = 0; ; padding++) {
    const text = toBase64Url(await deflate(new TextEncoder().encode(json + ' '.repeat(padding))));
    if (!/[-_]$/.test(text)) return text;
  }
}

/** Unpacks a blob, or says in a sentence why it cannot be used. */
export async function unpackBlob(text: string): Promise<LinkBlob | { readonly problem: string }> {
  const packed = fromBase64Url(text);
  if (packed === null)
    return { problem: 'it has characters that no link has; it was probably cut or changed on the way' };
  const bytes = await inflate(packed);
  if (bytes === 'broken') return { problem: 'it does not unpack; it was probably cut on the way' };
  if (bytes === 'too-large') return { problem: `it unpacks to more than ${maxBlobBytes / 1024} KiB` };
  const json = decodeUtf8(bytes);
  const value = json === null ? undefined : parseJson(json);
  if (json === null || value === undefined) return { problem: 'what it unpacks to is not JSON' };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'its content is not what it should be' };
  // valibot silently ignores keys such as `__proto__`; here they are unknown keys.
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(LinkBlobSchema.entries, key));
  if (unknown !== undefined) return { problem: `it has a part ${quoted(unknown)} that this version does not know` };
  const result = v.safeParse(LinkBlobSchema, value);
  if (!result.success)
    return { problem: `its ${v.getDotPath(result.issues[0]) ?? 'content'} is not what it should be` };
  // Of two equal keys JSON.parse takes the last and other readers the first, so both are refused.
  if (countKeys(json) !== Object.keys(value).length) return { problem: 'it names a part twice' };
  return result.output;
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

/** Counts the strings that a colon follows in valid JSON. */
function countKeys(json: string): number {
  let count = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g)) if (colon !== undefined) count++;
  return count;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The same in every engine: browsers refuse bytes behind the end of the packed part, and Node does not. */
async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | 'broken' | 'too-large'> {
  const unpacked = await unpackAll(bytes);
  if (typeof unpacked === 'string') return unpacked;
  // The end of a packed part lies in its last byte: what unpacks without it has bytes behind the end.
  return (await unpackAll(bytes.subarray(0, -1))) === 'broken' ? unpacked : 'broken';
}

/** Limits the output while it is unpacked, so that a small input never becomes a large string. */
async function unpackAll(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | 'broken' | 'too-large'> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      sizeBytes += part.value.length;
      if (sizeBytes > maxBlobBytes) {
        await reader.cancel();
        return 'too-large';
      }
      chunks.push(part.value);
    }
  } catch {
    return 'broken';
  }
  return joined(chunks);
}
