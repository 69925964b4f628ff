/**
 * Sources of the built-in environments and of what they can import, as the sandbox loads them and the editor shows
 * them. Runs none of them.
 */
import minisearch from 'minisearch?raw';
import bandit from './bandit.js?raw';
import calculator from './calculator.js?raw';
import multiHop from './multi-hop.js?raw';
import sdk from './sdk.js?raw';
import search from './search.js?raw';
import shop from './templates/shop.js?raw';

/**
 * Specifier → source of the modules that environments can import: the SDK, and its search with the library that it
 * rests on.
 */
export const sdkSource: Readonly<Record<string, string>> = { agentlet: sdk, 'agentlet/search': search, minisearch };

/** Environment name in a RunConfig → JavaScript source. */
export const builtInEnvironments: Readonly<Record<string, string>> = { calculator, bandit, 'multi-hop': multiHop };

/** Templates for an environment of one's own, by title. */
export const templates: Readonly<Record<string, string>> = { Template: shop };
