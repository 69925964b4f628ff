/**
 * The page's security policy: as a `<meta>` for hosts without headers, as the file `_headers` for the others, and as
 * the document of the sandbox frame, whose one script the policy allows by its hash.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { hubOf } from '../../lib/hub.ts';

type Directives = Readonly<Record<string, readonly string[]>>;

const frameScriptFile = join(import.meta.dirname, '../../worker/frame-script.js');

export function securityHeaders(): Plugin {
  return {
    name: 'agentlet:security-headers',
    config: () => ({ server: { headers: isolatingHeaders() }, preview: { headers: isolatingHeaders() } }),
    resolveId: { filter: { id: /^virtual:sandbox-frame$/ }, handler: (id) => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:sandbox-frame$/ },
      handler() {
        this.addWatchFile(frameScriptFile);
        return `export default ${JSON.stringify(frameDocument())};`;
      },
    },
    transformIndexHtml(_html, { server }) {
      const content = policyText(server ? developmentPolicy() : pagePolicy());
      return [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content }, injectTo: 'head-prepend' }];
    },
    generateBundle() {
      if (this.environment.name === 'client')
        this.emitFile({ type: 'asset', fileName: '_headers', source: headersFile() });
    },
  };
}

const frameScript = () => readFileSync(frameScriptFile, 'utf8').replaceAll('\r\n', '\n');
const frameScriptHash = () => `'sha256-${createHash('sha256').update(frameScript()).digest('base64')}'`;

/** The page's policy. The frame and its workers inherit it, and have a stricter one of their own. */
const pagePolicy = (): Directives => ({
  'default-src': ["'none'"],
  'script-src': ["'self'", "'wasm-unsafe-eval'", frameScriptHash()],
  'worker-src': ["'self'", 'blob:'],
  'connect-src': ["'self'", ...(hubOf(process.env.VITE_HUB)?.hosts ?? [])],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
  'trusted-types': ['svelte-trusted-html', 'app', 'box'],
});

/**
 * The development server inserts styles by script and uses a socket. Its shared worker, which waits for a restart, is
 * forbidden: after a restart, reload the page by hand.
 */
const developmentPolicy = (): Directives => ({
  ...pagePolicy(),
  'style-src': ["'self'", "'unsafe-inline'"],
  'connect-src': [...pagePolicy()['connect-src'], 'ws:'],
});

const framePolicy = (): Directives => ({
  'default-src': ["'none'"],
  'script-src': [frameScriptHash(), "'wasm-unsafe-eval'"],
  'worker-src': ['blob:'],
});

/** Headers of every response. A `<meta>` cannot contain `frame-ancestors`. */
const headers = (): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': policyText({ ...pagePolicy(), 'frame-ancestors': ["'none'"] }),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=()',
});

/** Headers of the development and preview servers: an isolated page trains on several threads of the CPU. */
const isolatingHeaders = (): Record<string, string> => ({
  'Cross-Origin-Opener-Policy': headers()['Cross-Origin-Opener-Policy'],
  'Cross-Origin-Embedder-Policy': 'require-corp',
});

const policyText = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ');

/** With it the CPU device has several threads. A site that embeds others' content may not want it. */
const isolation = `
# Training on the CPU takes as many threads as there are cores if the page is isolated: remove the "# " before the name.
  # Cross-Origin-Embedder-Policy: require-corp
`;

/** The format of Netlify and Cloudflare Pages. */
const headersFile = (): string =>
  ['/*', ...Object.entries(headers()).map(([name, value]) => `  ${name}: ${value}`)].join('\n') + isolation;

const frameDocument = (): string =>
  [
    '<!doctype html>',
    `<meta http-equiv="Content-Security-Policy" content="${policyText(framePolicy())}">`,
    '<title>Sandbox</title>',
    `<script>${frameScript()}</script>`,
  ].join('');
