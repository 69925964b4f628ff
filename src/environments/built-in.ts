/**
 * Sources of the built-in environments and of what they can import, as the sandbox loads them and the editor shows
 * them. Runs none of them. A folder here that holds an `environment.js` is a built-in environment of its name.
 */
import minisearch from 'minisearch?raw';
import sdk from './sdk.js?raw';
import search from './search.js?raw';
import boxes from './templates/boxes.js?raw';
import shop from './templates/shop.js?raw';

/**
 * Specifier → source of the modules that environments can import: the SDK, and its search with the library that it
 * rests on.
 */
export const sdkSource: Readonly<Record<string, string>> = { agentlet: sdk, 'agentlet/search': search, minisearch };

/** Environment name in a RunConfig → JavaScript source. */
export const builtInEnvironments: Readonly<Record<string, string>> = byFolder(
  import.meta.glob<string>('./*/environment.js', { query: '?raw', import: 'default', eager: true }),
);

/** Templates for an environment of one's own, by title. */
export const templates: Readonly<Record<string, string>> = {
  'Template: a question and an answer': shop,
  'Template: a world that answers every move': boxes,
};

/** @param files path of a file in a folder → text */
function byFolder(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path.split('/')[1], text]));
}
