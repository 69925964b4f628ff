/**
 * Loaded into the real page by its address, under the page's own policy: runs items in workers of the page's sandbox
 * frame, opens links with the page's own reader, and takes the census of the page's realm. The test site is built with
 * this as one more entry, so it shares the app's chunks.
 */
import { SandboxWorkers } from '../../src/ui/trainer/sandbox-frame';
import { openSandbox } from '../../src/worker/open-sandbox';
import type { WorkerPool } from '../../src/sandbox/worker-pool';
import type { Opened } from './link-item';
import { openTimed } from './open-link';
import { census, changes, settle, type Census } from './realm';
import { observe, type Observed } from './tool-item';

/** Opening takes a tenth of this on a quiet machine. */
const visitMs = 100;

let pool: WorkerPool;
let before: Census;

/** Starts a worker in the frame and looks at the page's realm. */
export async function start(): Promise<void> {
  pool = await openSandbox(new SandboxWorkers(), 1);
  await observe(pool, 'return 1', ['value']);
  settle();
  before = census();
}

export const run = (code: string, accepted: readonly string[]): Promise<Observed> => observe(pool, code, accepted);

export const openLink = (link: string): Promise<Opened> => openTimed(link);

/** Puts a link into the address bar, as a visitor does, and waits until the page has taken it in. */
export async function visit(link: string): Promise<void> {
  const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
  const before = location.hash;
  location.hash = `#/lab?${link.replace(/^#?(\/lab\?)?/, '')}`;
  if (location.hash !== before) await changed;
  await new Promise((resolve) => setTimeout(resolve, visitMs));
}

/** What changed in the page's realm since `start`. */
export const realmChanges = (): string[] => changes(before, census());

/** Everything that this origin keeps in this browser, by name. */
export async function stored(): Promise<string[]> {
  const databases = await indexedDB.databases();
  return [
    ...databases.map(({ name }) => `indexedDB ${name}`),
    ...Object.keys(localStorage).map((key) => `localStorage ${key}`),
    ...Object.keys(sessionStorage).map((key) => `sessionStorage ${key}`),
    ...(await caches.keys()).map((key) => `caches ${key}`),
    ...document.cookie.split(';').filter((cookie) => cookie !== ''),
  ];
}
