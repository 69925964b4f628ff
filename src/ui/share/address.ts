/** The page's address: the Lab's settings live behind its hash, so that no server sees them. */

export type Address =
  { readonly kind: 'start' } | { readonly kind: 'link'; readonly link: string } | { readonly kind: 'unknown' };

export function readAddress(hash: string): Address {
  const link = linkIn(hash);
  if (link !== null) return { kind: 'link', link };
  return { kind: /^#?\/?(lab\??)?$/.test(hash) ? 'start' : 'unknown' };
}

/** The settings of a link: what follows `?` (or `#`) if it names a link version. */
function linkIn(hash: string): string | null {
  const query = hash.includes('?') ? hash.slice(hash.indexOf('?') + 1) : hash.slice(1);
  return /(^|&)v=/.test(query) ? query : null;
}

/** Puts settings, or nothing, into the address bar; no page is loaded and no event comes of it. */
export function writeAddress(link: string | null): void {
  history.replaceState(null, '', link === null ? '#/' : `#/lab?${link}`);
}
