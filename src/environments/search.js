/**
 * Full-text search for environments, imported as `agentlet/search`: BM25 over a handful of passages, by MiniSearch.
 * Keeps no index between two calls, because a guest keeps nothing, and does no stemming and no fuzzy matching: a word
 * matches itself.
 */
import MiniSearch from 'minisearch';

/**
 * The passages that share a word with the query, best first; among equals the earlier one.
 * @param {readonly string[]} passages Words separated by spaces. @param {string} query @param {number} count Most
 * passages to return.
 */
export function search(passages, query, count) {
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => text.split(' '),
    processTerm: (word) => word.toLowerCase(),
  });
  index.addAll(passages.map((text, id) => ({ id, text })));
  return index
    .search(query)
    .slice(0, count)
    .map(({ id }) => passages[id]);
}
