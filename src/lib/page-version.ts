/** How the tabs and the service worker of the page tell each other which build they are. */

/** Each tab holds a share of the lock with this name and its version, unless it may not be claimed. */
export const versionLock = 'agentlet version ';

/** The digest that the build writes into `index.html`. Null in the development server's page, and in other texts. */
export const versionIn = (html: string): string | null =>
  /<meta name="version" content="(\w+)">/.exec(html)?.[1] ?? null;
