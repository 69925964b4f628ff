/**
 * The page in another language: with `AGENTLET_LANGUAGE=de` in the environment, the files of English words that
 * `ui/strings.ts` lists are replaced by the exports of `ui/translations/de.ts`. Each file gets an instance of the
 * translation of its own, so the bundler leaves to a chunk the words of its own files only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const ui = normalizePath(join(import.meta.dirname, '../../ui'));
const prefix = '\0words:';

/** @throws if `folder` has no such translation */
export function translation(language = process.env.AGENTLET_LANGUAGE || 'en', folder = `${ui}/translations`): Plugin {
  const name = 'agentlet:translation';
  if (language === 'en') return { name };
  const file = `${normalizePath(folder)}/${language}.ts`;
  if (!existsSync(file)) throw new Error(unknown(language, folder));
  return {
    name,
    enforce: 'pre',
    config: () => ({ define: { 'import.meta.env.LANGUAGE': JSON.stringify(language) } }),
    resolveId: {
      filter: { id: /text$/ },
      handler(source, importer) {
        // A translation may import English words: it then shows those.
        if (!importer?.startsWith(`${ui}/`) || dirname(importer) === dirname(file)) return null;
        const words = normalizePath(join(dirname(importer), source));
        return exportsText(words) ? prefix + keyOf(words) : null;
      },
    },
    load: {
      filter: { id: /^\0words:/ },
      handler(id) {
        const key = id.slice(prefix.length);
        return `export { ${key} as text } from ${JSON.stringify(`${file}?${key}`)};`;
      },
    },
    transformIndexHtml: (html) => html.replace('lang="en"', `lang="${language}"`),
  };
}

const exportsText = (path: string): boolean =>
  existsSync(`${path}.ts`) && readFileSync(`${path}.ts`, 'utf8').includes('\nexport const text =');

/** Of `src/ui/share/dialog-text`: `shareDialogText`. */
const keyOf = (path: string): string =>
  relative(ui, path).replace(/[^a-z]+(.)/g, (_, letter: string) => letter.toUpperCase());

function unknown(language: string, folder: string): string {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const languages = ['en', ...files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3))];
  return (
    `AGENTLET_LANGUAGE is ${language}, and ${folder} has no ${language}.ts: ` +
    `choose ${languages.join(', ')}, or write it.`
  );
}
