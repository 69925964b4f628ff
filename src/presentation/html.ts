/** Parts of files in HTML: texts, what all files look like, and a policy that lets them ask for nothing. Pure. */
import { xmlText } from '../lib/plain-text';
import page from './html.css?raw';

/** A text as the content of an element, or as the value of an attribute in double quotes. */
export const htmlText = (content: string): string => xmlText(content).replaceAll('"', '&quot;');

/** The start of a file, up to its body. @param own style of this file @param scripts that alone may run */
export async function htmlHead(title: string, own: string, scripts: readonly string[] = []): Promise<string> {
  const style = page + own;
  const hashes = await Promise.all(scripts.map(hashOf));
  const policy =
    `default-src 'none'; script-src ${hashes.join(' ') || `'none'`}; style-src ${await hashOf(style)}; ` +
    `img-src data:; base-uri 'none'; form-action 'none'`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${htmlText(title)}</title><style>${style}</style></head>`,
  ].join('');
}

async function hashOf(source: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(source)));
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`;
}
