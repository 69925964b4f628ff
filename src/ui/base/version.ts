/** Which build of the page this is, whether the host has another one, and what to say where a part cannot be loaded. */
import { versionIn } from '../../lib/page-version';
import { text } from './text';

/**
 * The version of this tab, if a new service worker may claim it. A tab that is isolated already may not be claimed: in
 * Firefox every request that it then makes fails after a minute.
 */
export const claimableAs = (): string | null => (crossOriginIsolated ? null : ownVersion());

const ownVersion = (): string | null =>
  document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? null;

/** Whether the host has another version of the page now; false without a connection. */
export async function wasReplaced(): Promise<boolean> {
  const html = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : ''),
    () => '',
  );
  const version = versionIn(html);
  return version !== null && version !== ownVersion();
}

export interface LoadProblem {
  readonly sentence: string;
  /** Null where a reload would not help. */
  readonly action: { readonly label: string; readonly act: () => void } | null;
}

/** @param offline what to say unless the host has a newer version of the page, and no longer this file */
export async function loadProblem(offline: string): Promise<LoadProblem> {
  if (!(await wasReplaced())) return { sentence: offline, action: null };
  return { sentence: text.later.replaced, action: { label: text.later.reload, act: () => location.reload() } };
}
