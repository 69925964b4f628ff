/**
 * The page's address, and links. The pages of the site and the Lab's settings are behind the hash: no server sees them,
 * and the site works from any folder of any host.
 */
import { text } from './text';
import { loadProblem } from './version';

/** What the page itself reads of a link. */
interface PageParts {
  /** Key of the rollout to open the recorded run at, if it names one. */
  readonly rollout: string | null;
  /** The visitor wants to play a round. */
  readonly plays: boolean;
}

/** What an address of the Lab asks of it. */
export type Address =
  | { readonly kind: 'start' }
  /** A world of one's own is to be written. */
  | { readonly kind: 'own' }
  | ({ readonly kind: 'link'; readonly link: string } & PageParts)
  | { readonly kind: 'unknown' };

export function readAddress(hash: string): Address {
  const asked = withoutHide(hash);
  const link = linkIn(asked);
  if (link !== null) return { kind: 'link', ...pageParts(link) };
  if (/^#\/?lab\?own$/.test(asked)) return { kind: 'own' };
  return { kind: /^#\/?lab\??$/.test(asked) ? 'start' : 'unknown' };
}

/**
 * Parts of the Lab that the address hides, for teachers: `#/lab?hide=setup,health`. It is no setting of a run, so the
 * link reader never sees it.
 */
export function hiddenBy(hash: string): string {
  return /[?&]hide=([^&]*)/.exec(hash)?.[1] ?? '';
}

function withoutHide(hash: string): string {
  const [page, query = ''] = hash.split('?', 2);
  if (hiddenBy(hash) === '') return hash;
  const rest = query.split('&').filter((each) => !each.startsWith('hide='));
  return rest.length === 0 ? page : `${page}?${rest.join('&')}`;
}

/** The settings of a link: what follows `?` (or `#`) if it names a link version, or a preset as people type it. */
function linkIn(hash: string): string | null {
  const query = hash.includes('?') ? hash.slice(hash.indexOf('?') + 1) : hash.slice(1);
  return /(^|&)(v|preset)=/.test(query) ? query : null;
}

/** The page's parts of a link, and the rest, which is the engine's. */
function pageParts(link: string): PageParts & { readonly link: string } {
  const parts = link.split('&');
  const own = parts.find((part) => part.startsWith('rollout='));
  const rest = parts.filter((part) => !part.startsWith('rollout=') && part !== 'play');
  return {
    link: rest.join('&'),
    rollout: own === undefined ? null : decodedKey(own.slice('rollout='.length)),
    plays: parts.includes('play'),
  };
}

/** `25/3` or `25%2F3`; null if it is no key. */
function decodedKey(text: string): string | null {
  const key = text.replace(/%2f/i, '/');
  return /^\d{1,9}\/\d{1,9}$/.test(key) ? key : null;
}

/** Whether an address may name a pretrained model: only the packed part of a link does. */
export const mayNameModel = (hash: string): boolean => pageOf(hash) === 'lab' && /[?&]x=/.test(hash);

/** Whether it does. */
export async function namesModel(hash: string): Promise<boolean> {
  const { decodeLink } = await import('../../share/link');
  return (await decodeLink(hash)).pretrained !== null;
}

/** A link to the Lab that hides these parts of it. */
export function withoutParts(link: string, parts: readonly string[]): string {
  return parts.length === 0 ? link : link.replace('#/lab?', `#/lab?hide=${parts.join(',')}&`);
}

/** Puts settings, or nothing, into the address bar; no page is loaded and no event comes of it. */
export function writeAddress(link: string | null): void {
  history.replaceState(null, '', addressWith(link, hiddenBy(location.hash)));
}

/** The Lab's address with these settings, and what it hides. */
export function addressWith(link: string | null, hide: string): string {
  const parts = [...(hide === '' ? [] : [`hide=${hide}`]), ...(link === null ? [] : [link])];
  return parts.length === 0 ? '#/lab' : `#/lab?${parts.join('&')}`;
}

/** Where a link fits: Discord's limit with room for a word, and the length every server must take (RFC 9110). */
const chatLength = 1900;
const safeLength = 8000;

export type LinkSize = 'fits' | 'long' | 'tooLong';

export const linkSize = (characters: number): LinkSize =>
  characters <= chatLength ? 'fits' : characters <= safeLength ? 'long' : 'tooLong';

export type PageName = 'gallery' | 'lab' | 'runs' | 'learn';

/** The page of an address. The Lab opens links, and answers to an address that names no page. */
export function pageOf(hash: string): PageName {
  if (/^#?\/?$/.test(hash)) return 'gallery';
  const name = /^#\/(runs|learn)(?=$|[/?])/.exec(hash)?.[1];
  return (name as PageName | undefined) ?? 'lab';
}

/** Links of configs, without a trainer. Their code comes with every preset and environment: fetched at first use. */
export type RunLinks = Pick<typeof import('../../config/run-link'), 'addressOf' | 'openRunLink' | 'runLink'>;

/** Rejects with a sentence if the code cannot be fetched. */
export const runLinks = (): Promise<RunLinks> =>
  import('../../config/run-link').catch(async () => {
    throw new Error((await loadProblem(text.codeMissing)).sentence);
  });
