/**
 * Keeps the page for use without a connection, and says when a newer version of it is ready. Until the page reloads,
 * the files of its own version stay: a tab never loads a part of another version.
 */
import { trusted } from '../trainer/trusted';
import { versionLock } from '../../lib/page-version';
import { claimableAs, wasReplaced } from '../base/version';

/** Each tab holds a share of it, so that a tab can count them. */
const tabLock = 'agentlet page';
/** What the service worker (`sw.ts`) listens for. */
const skipWaiting = { type: 'SKIP_WAITING' };

/** A newer version that waits. */
export interface NewVersion {
  /** Reloads the page with it; false if another tab still needs the version that is open. */
  open(): Promise<boolean>;
}

/** Registers the service worker once the page is at rest. `ready` is called for each newer version. */
export async function keepOffline(ready: (version: NewVersion) => void): Promise<void> {
  const { serviceWorker: workers, locks } = navigator;
  if (!import.meta.env.PROD) return;
  for (const name of [tabLock, `${versionLock}${claimableAs()}`])
    void locks?.request(name, { mode: 'shared' }, () => new Promise(() => {}));
  if (!workers || savesData()) return;
  await atRest();
  const script = trusted.createScriptURL(`${import.meta.env.BASE_URL}sw.js`);
  // A browser that refuses (a private window, no space) shows the page all the same, with a connection.
  const registration = await workers.register(script, { updateViaCache: 'none' }).catch(() => null);
  if (!registration) return;
  if (!workers.controller) void workers.ready.then(async () => (await wasReplaced()) && ready({ open: reload }));
  const offer = (waiting: ServiceWorker): void => {
    if (workers.controller) ready({ open: () => openVersion(waiting) });
  };
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => installing.state === 'installed' && offer(installing));
  });
}

/** From the host, or from the worker that has stored its newer version. */
function reload(): Promise<boolean> {
  location.reload();
  return Promise.resolve(true);
}

async function openVersion(waiting: ServiceWorker): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  if (held.filter(({ name }) => name === tabLock).length > 1) return false;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  waiting.postMessage(skipWaiting);
  return true;
}

/** The visitor asked the browser to load no more than is needed. */
const savesData = (): boolean =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData ?? false;

/** After everything that the page shows at first; Safari has no idle callback. */
const atRest = (): Promise<unknown> =>
  new Promise((rest) => {
    const wait = () =>
      'requestIdleCallback' in window ? requestIdleCallback(rest, { timeout: 5000 }) : setTimeout(rest);
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, { once: true });
  });
