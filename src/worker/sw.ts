/**
 * The service worker. It stores every file of the build that it belongs to (`cli/build/offline-plugin.ts`) and answers
 * from them. Its answers isolate the page also where the host sends no headers, so that from the second visit on the
 * CPU device has threads.
 */
import { addPlugins, cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching';
import { versionIn, versionLock } from '../lib/page-version';

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0] };

/** What isolates a document, and what a worker needs to start in one. */
const isolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

addPlugins([
  {
    handlerWillRespond: ({ request, response }) =>
      Promise.resolve(request.mode === 'navigate' || request.destination === 'worker' ? isolated(response) : response),
  },
]);
precacheAndRoute(self.__WB_MANIFEST, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();

self.addEventListener('activate', (event) => event.waitUntil(claim()));

self.addEventListener('message', (event) => {
  if (event.data?.type === 'SKIP_WAITING') void self.skipWaiting();
});

/** The same answer with the headers; those that the host has sent win. */
function isolated({ body, status, statusText, headers: sent }: Response): Response {
  const headers = new Headers(isolation);
  sent.forEach((value, name) => headers.set(name, value));
  return new Response(body, { status, statusText, headers });
}

/**
 * Takes the tabs that were opened before there was a worker, so that they work without a connection, too. Not if one of
 * them may not be claimed or is of another version, as after a deploy between the page and this script: it would get
 * files that do not fit.
 */
async function claim(): Promise<void> {
  const { held } = (await self.navigator.locks?.query()) ?? {};
  const stored = versionIn((await (await matchPrecache('index.html'))?.text()) ?? '');
  const open = held?.flatMap(({ name }) => (name?.startsWith(versionLock) ? [name.slice(versionLock.length)] : []));
  if (open?.every((version) => version === stored)) await self.clients.claim();
}
