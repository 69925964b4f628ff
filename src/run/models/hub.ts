/**
 * What a hub says of a model: the commit behind a revision, the files that are needed, their sizes and digests, the
 * licence. Two small answers are read, no weight. The hub is one like that of Hugging Face.
 */
import * as v from 'valibot';
import { bytesInMemory } from '../../lib/byte-source';
import { firstIssue } from '../../lib/first-issue';
import { plainText, quoted } from '../../lib/plain-text';
import { tensorFiles } from '../../lib/stored-tensors';
import { textFiles } from '../../text/pretrained/pretrained-text';
import { standardAdapter } from '../../model/adapter';
import { promisedNetwork } from '../../model/families';
import type { RemoteFile } from './file-download';
import type { Repository } from './repository';
import { fetchWhole, type RequestOptions } from './request';

/** A model on a hub, at one commit. */
export interface HubModel {
  /** `owner/name` */
  readonly name: string;
  /** The revision that was asked for; null: the hub's main branch. */
  readonly asked: string | null;
  /** The commit. */
  readonly revision: string;
  /** As its card says; null where that is silent. */
  readonly licence: string | null;
  /** JSON of config.json, of a model that can be trained here. */
  readonly config: unknown;
  /** All that is needed, small ones first. */
  readonly files: readonly RemoteFile[];
}

const maxAnswerBytes = 1 << 24;
const maxConfigBytes = 1 << 20;
/** Of one text file, and of all files: four billion numbers of 32 bits. */
const maxTextBytes = 1 << 26;
const maxTotalBytes = 2 ** 34;
const mainBranch = 'main';
const indexName = 'model.safetensors.index.json';

const Size = v.pipe(v.number(), v.integer(), v.minValue(0));
const File = v.object({
  rfilename: v.string(),
  size: v.optional(Size),
  lfs: v.nullish(v.object({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), size: Size })),
});
const Answer = v.object({
  sha: v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/)),
  siblings: v.pipe(v.array(File), v.maxLength(10_000)),
  cardData: v.nullish(v.object({ license: v.nullish(v.union([v.string(), v.array(v.string())])) })),
});
type Answer = v.InferOutput<typeof Answer>;

/** @param hub its address @throws a sentence if there is no such model, or it cannot be trained here */
export async function findOnHub(
  hub: string,
  { name, revision: asked }: Repository,
  options: RequestOptions,
): Promise<HubModel> {
  const what = quoted(name, 120);
  const base = requireAddress(hub);
  const branch = encodeURIComponent(asked ?? mainBranch);
  const answer = await readAnswer(what, `${base}/api/models/${name}/revision/${branch}?blobs=true`, options);
  const { sha: revision } = answer;
  const contents = async (file: string, most: number) =>
    fetchWhole(`${quoted(file, 80)} of ${what}`, `${base}/${name}/resolve/${revision}/${file}`, most, options);
  requireListed(answer, what, 'config.json', 'It is no model in files that can be read here.');
  const config = readConfig(await contents('config.json', maxConfigBytes));
  // Before anything large is fetched.
  promisedNetwork(config, standardAdapter);
  requireListed(answer, what, 'tokenizer.json', 'Choose a model whose tokenizer is in that file.');
  const isSharded = answer.siblings.some(({ rfilename }) => rfilename === indexName);
  const index = isSharded && new Map([[indexName, bytesInMemory(await contents(indexName, maxAnswerBytes))]]);
  const weights = await tensorFiles(index || new Map());
  const safetensors = 'Choose a model whose weights are safetensors.';
  for (const file of weights) requireListed(answer, what, file, safetensors);
  const texts = ['config.json', ...textFiles].filter((file) =>
    answer.siblings.some(({ rfilename }) => rfilename === file),
  );
  const files = [...texts, ...weights].map((file) =>
    remoteFile(answer, file, `${base}/${name}/resolve/${revision}/${file}`, texts.includes(file)),
  );
  requireTotal(what, files);
  return { name, asked, revision, licence: licenceOf(answer), config, files };
}

async function readAnswer(what: string, url: string, options: RequestOptions): Promise<Answer> {
  const bytes = await fetchWhole(what, url, maxAnswerBytes, options);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error(`The hub’s answer about ${what} is not JSON: is its address right?`, { cause: error });
  }
  const read = v.safeParse(Answer, json, { abortEarly: true });
  if (read.success) return read.output;
  throw new Error(`The hub’s answer about ${what} cannot be used: ${firstIssue(read.issues)}.`);
}

function readConfig(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Error('config.json cannot be used: it is not JSON.', { cause: error });
  }
}

function requireListed({ siblings }: Answer, what: string, file: string, advice: string): void {
  if (siblings.some(({ rfilename }) => rfilename === file)) return;
  throw new Error(`${what} has no file ${quoted(file, 80)} on the hub. ${advice}`);
}

/** @param isText one that is read whole */
function remoteFile({ siblings }: Answer, file: string, url: string, isText: boolean): RemoteFile {
  const { size, lfs } = siblings.find(({ rfilename }) => rfilename === file)!;
  const sizeBytes = lfs?.size ?? size;
  const name = quoted(file, 80);
  // Of the file's own folder and no other one.
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/.test(file)) throw new Error(`${name} cannot be the name of a file here.`);
  if (sizeBytes === undefined) throw new Error(`The hub does not say how large ${name} is, so it is not fetched.`);
  if (isText && sizeBytes > maxTextBytes)
    throw new Error(`${name} has ${sizeBytes} bytes, and at most ${maxTextBytes} are read.`);
  return { name: file, url, sizeBytes, sha256: lfs?.sha256 ?? null };
}

function requireTotal(what: string, files: readonly RemoteFile[]): void {
  const total = bytesOf(files);
  if (total > maxTotalBytes)
    throw new Error(`${what} has ${total} bytes of files, and at most ${maxTotalBytes} are fetched.`);
}

/** Of all files. */
export const bytesOf = (files: readonly Pick<RemoteFile, 'sizeBytes'>[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

function licenceOf({ cardData }: Answer): string | null {
  const licence = [cardData?.license ?? []].flat().join(', ');
  return licence === '' ? null : plainText(licence, 79);
}

/** @returns without a slash at its end @throws a sentence if it is no address of a hub */
function requireAddress(hub: string): string {
  const { protocol, origin, pathname } = URL.canParse(hub) ? new URL(hub) : { protocol: '', origin: '', pathname: '' };
  if (protocol === 'https:' || protocol === 'http:') return `${origin}${pathname}`.replace(/\/+$/, '');
  throw new Error(`${quoted(hub, 120)} is no address of a hub: it should begin with https://.`);
}
