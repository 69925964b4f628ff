/** The pages of the site and their addresses, all behind the hash: the site works from any folder of any host. */

export type PageName = 'gallery' | 'lab' | 'runs' | 'learn';

/** The page of an address. The Lab opens links, and answers to an address that names no page. */
export function pageOf(hash: string): PageName {
  if (/^#?\/?$/.test(hash)) return 'gallery';
  const name = /^#\/(runs|learn)(?=$|[/?])/.exec(hash)?.[1];
  return (name as PageName | undefined) ?? 'lab';
}
