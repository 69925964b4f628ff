/**
 * The page's language. With `AGENTLET_LANGUAGE=de` in the environment, the files of English words that `ui/strings.ts`
 * lists are replaced by the exports of `ui/translations/de.ts`. Each file gets an instance of the translation of its
 * own, so the bundler leaves to a chunk the words of its own files only.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { normalizePath, runnerImport, type Plugin } from 'vite';

const ui = normalizePath(join(import.meta.dirname, '../../ui'));
const prefix = '\0words:';

/**
 * @param language its tag, or the path of a translation elsewhere, whose name is the tag
 * @param folder where translations are
 * @throws if there is no such translation
 */
export function translation(
  language = process.env.AGENTLET_LANGUAGE || 'en',
  folder = join(ui, 'translations'),
): Plugin {
  const file = language === 'en' ? null : fileOf(language, folder);
  const tag = basename(language, '.ts');
  return {
    name: 'agentlet:translation',
    enforce: 'pre',
    config: () => ({ define: { 'import.meta.env.LANGUAGE': JSON.stringify(tag) } }),
    resolveId: {
      filter: { id: /text$/ },
      handler(source, importer) {
        // A translation may import English words: it then shows those.
        if (!file || !importer?.startsWith(`${ui}/`) || dirname(importer) === dirname(file)) return null;
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
    async transformIndexHtml(html) {
      const words = { language: tag, ...(await pageWords(file)) };
      return html.replace(/\{(\w+)\}/g, (_, name: keyof typeof words) => escaped(words[name]));
    },
  };
}

function fileOf(language: string, folder: string): string {
  const file = language.endsWith('.ts') ? resolve(language) : join(folder, `${language}.ts`);
  if (existsSync(file)) return normalizePath(file);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const languages = ['en', ...files.filter((each) => each.endsWith('.ts')).map((each) => basename(each, '.ts'))];
  throw new Error(`AGENTLET_LANGUAGE is ${language}: choose ${languages.join(', ')}, or write ${file}.`);
}

const exportsText = (path: string): boolean =>
  existsSync(`${path}.ts`) && /^export const text\b/m.test(readFileSync(`${path}.ts`, 'utf8'));

/** Of `src/ui/share/dialog-text`: `shareDialogText`. */
const keyOf = (path: string): string =>
  relative(ui, path).replace(/[^a-z]+(.)/g, (_, letter: string) => letter.toUpperCase());

const escaped = (words: string): string => words.replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The words that `index.html` names in braces. */
async function pageWords(file: string | null): Promise<Readonly<Record<string, string>>> {
  const { module } = await runnerImport<Readonly<Record<string, Readonly<Record<string, string>>>>>(
    file ?? `${ui}/shell/page-text.ts`,
    { configFile: false, logLevel: 'error' },
  );
  return module[file ? 'shellPageText' : 'text'];
}
