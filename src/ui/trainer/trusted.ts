/**
 * The page's only Trusted Types policy: what it lets through are addresses and markup of the build itself, never
 * anything that came from a person, a link or a model. Where the browser has no Trusted Types, strings pass as they
 * are.
 */

/** What of the browser's factory is used here; the objects it makes stand where strings stood. */
interface Factory {
  createPolicy(name: string, rules: Rules): Rules;
}

interface Rules {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

const asItIs: Rules = { createHTML: (html) => html, createScriptURL: (url) => url };
const { trustedTypes } = globalThis as { trustedTypes?: Factory };

export const trusted: Rules = trustedTypes?.createPolicy('app', asItIs) ?? asItIs;
