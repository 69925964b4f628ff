/**
 * The page's only Trusted Types policy. It passes addresses and markup of the build itself, never text from a person, a
 * link or a model. Without Trusted Types in the browser it returns its strings unchanged.
 */

/** The part of the browser's factory that is used here. */
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
