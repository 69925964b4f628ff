/** Which build of the page this is, and whether the host has another one now. */
import { versionIn } from '../../lib/page-version';

/**
 * The version of this tab, if a new service worker may claim it. A tab that is isolated already may not be claimed: in
 * Firefox every request that it then makes fails after a minute.
 */
export const claimableAs = (): string | null => (crossOriginIsolated ? null : ownVersion());

export const ownVersion = (): string | null =>
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
